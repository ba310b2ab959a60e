import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openCluster } from "@nido/test-kit/cluster";
import { startNative } from "@nido/test-kit/native";
import { provideCore } from "@nido/test-kit/testCore";
import { waitUntil } from "@nido/test-kit/waitUntil";
import { createConnection } from "mariadb";
import type { Report } from "../Benchmark.ts";
import { median } from "../median.ts";
import { startWordPressProduct } from "../wordpress/startWordPressProduct.ts";

const [total, awake, rounds] = [50, 10, 5];

/** Provisioning compared with the native runtime; then what sites cost that sleep, and sites that are awake. */
export async function benchKubernetes(report: Report) {
  await using cleanups = new AsyncDisposableStack();
  const whenDone = (undo: () => Promise<void>) => void cleanups.defer(undo);
  await provideCore();
  const native = await startWordPressProduct(cleanups, "native runtime", (await startNative(whenDone)).env);
  const { namespace, env } = await openCluster(whenDone);
  const settings = { ...env, DATA_DIR: mkdtempSync(join(tmpdir(), "nido-bench-")) };
  const ours = await startWordPressProduct(cleanups, "Kubernetes", settings);
  const kubectl = (...args: string[]) =>
    execFileSync("kubectl", ["-n", namespace, ...args], { maxBuffer: 2 ** 26 }).toString();

  const ratios: number[] = [];
  for (let round = 1; round <= rounds; round++)
    ratios.push((await ours.provision(`bench${round}`)).done / (await native.provision(`bench${round}`)).done);
  report({ name: "provisioning, Kubernetes", peer: "native runtime", measure: "time", ratios });

  const began = performance.now();
  for (let site = rounds + 1; site < total; site++) await ours.provision(`bench${site}`);
  const seconds = (performance.now() - began) / 1000;
  console.log(`  One after the other, ${Math.round(((total - rounds - 1) / seconds) * 60)} sites a minute.`);
  kubectl("scale", "deployments", "--all", "--replicas=0");
  await waitUntil(
    "all sites sleep",
    async () => kubectl("get", "pods", "-o", "name").trim(),
    (names) => names === "",
    { intervalMs: 500 },
  );
  const { items } = JSON.parse(kubectl("get", "deployments,secrets,pvc", "-l", "nido.dev/site", "-o", "json"));
  const objects = items.map((item: object) => JSON.stringify(item).length);
  const sum = (numbers: number[]) => numbers.reduce((one, other) => one + other, 0);
  console.log(
    `  At rest, a site has ${objects.length / total} objects with ${Math.round(sum(objects) / total / 1024)} kB, no pod, and ${await databaseSize(env.MARIADB_URLS)} in MariaDB.`,
  );

  const times: number[] = [];
  for (let site = 0; site < awake; site++) times.push(await firstByte(ours.server.port, `bench${site}.localhost`));
  console.log(
    `  From the request to the first byte of a sleeping site: median ${Math.round(median(times))} ms, ${Math.round(Math.max(...times))} ms at most.`,
  );
  const memory = kubectl("get", "pods", "-o", "name").trim().split("\n").map(memoryOf);
  for (const container of ["php", "agent"] as const)
    console.log(
      `  Awake, the container ${container} uses ${Math.round(median(memory.map((pod) => pod[container])))} MB.`,
    );

  function memoryOf(pod: string) {
    const read = (container: string) =>
      Number(/^(?:rss|anon) (\d+)/m.exec(kubectl("exec", pod, "-c", container, "--", "sh", "-c", statistics))?.[1]) /
      1e6;
    return { php: read("php"), agent: read("agent") };
  }
}

/** of the container's control group, version 1 or 2 */
const statistics = "cat /sys/fs/cgroup/memory/memory.stat /sys/fs/cgroup/memory.stat 2>/dev/null || true";

async function databaseSize(url: string): Promise<string> {
  const connection = await createConnection(`${url}/information_schema`);
  const [row] = await connection.query(
    "select round(sum(data_length + index_length) / count(distinct table_schema) / 1024) as size from tables where table_schema like 'site\\_%'",
  );
  await connection.end();
  return `${row.size} kB`;
}

async function firstByte(port: number, host: string): Promise<number> {
  const began = performance.now();
  const url = `http://127.0.0.1:${port}/wp-login.php`;
  execFileSync("curl", ["-s", "--fail", "-o", "/dev/null", "-H", `Host: ${host}:${port}`, url]);
  return performance.now() - began;
}
