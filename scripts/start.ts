import { main } from "../apps/server/src/main.ts";
import { buildDashboard } from "./buildDashboard.ts";

// The launcher is gone: nobody could stop this process any more.
process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));

await buildDashboard();
await main();
