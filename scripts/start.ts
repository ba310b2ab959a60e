import { main } from "../apps/server/src/main.ts";
import { buildCli } from "./buildCli.ts";
import { buildDashboard } from "./buildDashboard.ts";

// The IPC channel closes when the launcher ends. Without the launcher, nothing would stop this process.
process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));
if (process.connected === false) process.exit(1);

await buildDashboard();
await buildCli();
await main();
