/** "drain": other processes serve new visitors, so that there is time to finish requests. */
export type StopManner = "soon" | "drain";
