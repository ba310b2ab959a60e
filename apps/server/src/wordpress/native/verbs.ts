/** What the privileged helper can do for a site. */
export const verbs = ["database", "files", "start", "stop", "remove", "dump", "restore"] as const;
export type Verb = (typeof verbs)[number];
