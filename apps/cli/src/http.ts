import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

// Not imported: that would load all that these offer, WebSocket and fetch included, and take a third of the start.
export const http = require("node:http") as typeof import("node:http");
/** Loaded where it is needed. */
export const https = () => require("node:https") as typeof import("node:https");
