// Installs what is needed, by the launcher, and builds the dashboard and the command-line tool: for a checkout that the product itself may not write.
import { buildCli } from "./buildCli.ts";
import { buildDashboard } from "./buildDashboard.ts";

await buildDashboard();
await buildCli();
