import { installSystemPackages, nativePackages } from "../../scripts/installSystemPackages.ts";
import { benchPublishing } from "./publishing.ts";
import { benchState } from "./state.ts";
import { benchStatic } from "./static.ts";
import { benchWordPress } from "./wordpress.ts";

// Times mean little on a shared machine: each benchmark prints how it compares with a peer in the same run.
console.log("GET /redux against a bare Fastify route that does one indexed select on the same database");
await benchState();
await installSystemPackages([...nativePackages, "nginx-light", "wrk", "caddy", "rsync"]);
await benchPublishing();
await benchStatic();
await benchWordPress();
