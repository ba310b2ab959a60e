// One of several processes that serve the dashboard and the sites. `startWebProcesses` starts it and passes it the
// shared options. It ends with its parent.
import { buildApp } from "../app/buildApp.ts";
import { parseConfig } from "../config/parseConfig.ts";
import { readShared } from "./startWebProcesses.ts";

const config = parseConfig(process.env);
const { app, listen, drain } = await buildApp({ config, ...readShared() });

const end = () => void app.close().then(() => process.exit(0));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "disconnect"]) process.on(signal, end);
process.on("SIGUSR2", () => void drain().then(() => process.exit(0)));
await listen();
process.send?.("listening");
