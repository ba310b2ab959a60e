import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** Node modules that are loaded at their first use: each would add a tenth to the start-up time of the CLI. */
export const https = () => require("node:https") as typeof import("node:https");
export const childProcess = () => require("node:child_process") as typeof import("node:child_process");
export const readline = () => require("node:readline") as typeof import("node:readline");
export const v8 = () => require("node:v8") as typeof import("node:v8");
