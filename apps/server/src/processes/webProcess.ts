// One of several processes that serve the dashboard and the sites. `startWebProcesses` starts it and passes it the
// shared options. It ends with its parent.
import { buildApp } from "../app/buildApp.ts";
import { parseConfig } from "../config/parseConfig.ts";
import { readShared } from "./startWebProcesses.ts";

const maxDrainMs = 40_000;

const config = parseConfig(process.env);
const { app, listen, drain } = await buildApp({ config, ...readShared() });

const end = () => void app.close().then(() => process.exit(0));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "disconnect"]) process.on(signal, end);
process.on("SIGUSR2", () => void drain().then(() => process.exit(0)));
// Last resort for uncaught exceptions and unhandled rejections: this process drains, exits and is replaced. The others
// keep serving.
process.once("uncaughtException", (error) => {
  app.log.fatal({ err: error }, "uncaught exception: draining and exiting");
  process.on("uncaughtException", (err) => app.log.error({ err }, "another uncaught exception while draining"));
  setTimeout(() => process.exit(1), maxDrainMs).unref();
  void drain().finally(() => process.exit(1));
});
await listen();
process.send?.("listening");
