import { resolve } from "node:path";
import { run } from "./run.ts";

// Vite's development server with live reload. API calls go to a Nido that `npm start` runs at the same time.
process.exit(await run("vite", [], { cwd: resolve(import.meta.dirname, "../apps/dashboard") }));
