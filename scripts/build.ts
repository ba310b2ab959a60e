// Builds the dashboard and the CLI, after the launcher has installed the packages. `npm start` does the same. This
// command is for installations whose `npm start` runs as a user that cannot write to this folder.
import { buildCli } from "./buildCli.ts";
import { buildDashboard } from "./buildDashboard.ts";

await buildDashboard();
await buildCli();
