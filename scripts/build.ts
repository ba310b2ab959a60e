// Builds the dashboard, the CLI and the agent, after the launcher has installed the packages. `npm start` does
// the same. This command is for installations whose `npm start` runs as a user that cannot write to this folder.
import { buildAgent } from "./buildAgent.ts";
import { buildCli } from "./buildCli.ts";
import { buildDashboard } from "./buildDashboard.ts";

await buildDashboard();
await buildCli();
await buildAgent();
