import { whyNoCluster } from "@nido/test-kit/cluster";
import { whyNotNative } from "@nido/test-kit/native";
import { nativePackages } from "../../scripts/installSystemPackages.ts";
import type { Benchmark } from "./Benchmark.ts";
import { benchHttps } from "./https/benchHttps.ts";
import { benchImages } from "./images/benchImages.ts";
import { benchKubernetes } from "./kubernetes/benchKubernetes.ts";
import { parseArguments } from "./parseArguments.ts";
import { benchPublishing } from "./publishing/benchPublishing.ts";
import { saveResults } from "./results/saveResults.ts";
import { runBenchmark } from "./runBenchmark.ts";
import { benchScale } from "./scale/benchScale.ts";
import { benchState } from "./state/benchState.ts";
import { benchStatic } from "./static/benchStatic.ts";
import { benchTraffic } from "./traffic/benchTraffic.ts";
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
  traffic: {
    title: "Static files with the counters of visits, compared with the same without them",
    packages: ["wrk"],
    run: benchTraffic,
  },
  https: {
    title: "Static files over TLS, compared with nginx and Caddy with the same certificate, each server on all cores",
    packages: ["wrk", "nghttp2-client", "nginx", "caddy", "openssl"],
    run: benchHttps,
  },
  scale: {
    title: "Queries on a million projects, compared with a thousand",
    packages: [],
    run: benchScale,
  },
  images: {
    title: "Uploaded photos as AVIF and WebP, compared with the JPEG that WordPress makes of them",
    packages: ["bubblewrap"],
    run: benchImages,
  },
  wordpress: {
    title: "WordPress, compared with nginx, PHP-FPM and MariaDB",
    packages: ["wrk", "nginx", ...nativePackages],
    whyNot: whyNotNative,
    run: benchWordPress,
  },
  kubernetes: {
    title: "WordPress on Kubernetes, compared with the native runtime",
    packages: ["curl", ...nativePackages],
    whyNot: () => whyNoCluster() ?? whyNotNative(),
    run: benchKubernetes,
  },
};

const { parts, isSaved } = parseArguments(process.argv.slice(2), Object.keys(benchmarks));
for (const [part, benchmark] of Object.entries(benchmarks)) {
  if (!parts.includes(part)) continue;
  const measurements = await runBenchmark(part, benchmark);
  if (isSaved && measurements.length > 0) saveResults(part, measurements);
}
