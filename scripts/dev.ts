import { resolve } from "node:path";
import { run } from "./run.ts";

// Vite's own server, with changes shown as they are saved; calls go to a Nido that `npm start` runs beside it.
process.exit(await run("vite", [], { cwd: resolve(import.meta.dirname, "../apps/dashboard") }));
