import { main } from "../apps/server/src/main.ts";
import { buildCli } from "./buildCli.ts";
import { buildDashboard } from "./buildDashboard.ts";

// The launcher is gone: nobody could stop this process any more.
process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));

await buildDashboard();
await buildCli();
await main();
