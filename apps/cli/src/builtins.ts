import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** Loaded where they are needed: each would take a tenth of the tool's start. */
export const https = () => require("node:https") as typeof import("node:https");
export const childProcess = () => require("node:child_process") as typeof import("node:child_process");
export const readline = () => require("node:readline") as typeof import("node:readline");
export const v8 = () => require("node:v8") as typeof import("node:v8");
