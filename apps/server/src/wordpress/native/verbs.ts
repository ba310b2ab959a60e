/** The commands that the site manager accepts. */
export const verbs = ["database", "files", "start", "stop", "remove", "dump", "restore"] as const;
export type Verb = (typeof verbs)[number];
