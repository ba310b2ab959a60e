import { whyNotNative } from "@nido/test-kit/native";
import { nativePackages } from "../../scripts/installSystemPackages.ts";
import type { Benchmark } from "./Benchmark.ts";
import { benchPublishing } from "./publishing/benchPublishing.ts";
import { runBenchmark } from "./runBenchmark.ts";
import { benchState } from "./state/benchState.ts";
import { benchStatic } from "./static/benchStatic.ts";
import { benchWordPress } from "./wordpress/benchWordPress.ts";

// Absolute times mean little on a shared machine. Each benchmark compares Nido with a peer in the same run.
const benchmarks: Record<string, Benchmark> = {
  state: {
    title: "GET /redux, compared with a Fastify route that does one indexed select on the same database",
    packages: [],
    run: benchState,
  },
  publishing: {
    title: "Publishing 1,000 files (50 MB) over loopback, compared with rsync on the same disk",
    packages: ["rsync"],
    run: benchPublishing,
  },
  static: {
    title: "Static files, compared with nginx and Caddy, each server on all cores",
    packages: ["wrk", "nginx", "caddy"],
    run: benchStatic,
  },
  wordpress: {
    title: "WordPress, compared with nginx, one PHP-FPM pool and MariaDB",
    packages: ["wrk", "nginx", ...nativePackages],
    whyNot: whyNotNative,
    run: benchWordPress,
  },
};

for (const [part, benchmark] of Object.entries(benchmarks)) await runBenchmark(part, benchmark);
