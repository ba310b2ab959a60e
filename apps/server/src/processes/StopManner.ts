/** "drain": another product has taken over, so that there is time to finish requests. */
export type StopManner = "soon" | "drain";
