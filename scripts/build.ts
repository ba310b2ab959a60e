// Installs what is needed, by the launcher, and builds the dashboard: for a checkout that the product itself may not write.
import { buildDashboard } from "./buildDashboard.ts";

await buildDashboard();
