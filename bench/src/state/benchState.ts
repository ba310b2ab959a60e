import { join, resolve } from "node:path";
import { freePort } from "@nido/test-kit/freePort";
import autocannon from "autocannon";
import type { Report } from "../Benchmark.ts";
import { compareInRounds } from "../load/compareInRounds.ts";
import { makeWorkFolder } from "../makeWorkFolder.ts";
import { startProduct } from "../product/startProduct.ts";
import { startProgram } from "../product/startProgram.ts";

const bareServer = resolve(import.meta.dirname, "../bareServer.ts");
const load = { connections: 32, duration: 3 };

export async function benchState(report: Report) {
  await using cleanups = new AsyncDisposableStack();
  const folder = makeWorkFolder(cleanups);
  const { origin, databaseUrl } = await startProduct(cleanups, { DATA_DIR: join(folder, "data") });
  const barePort = await freePort();
  await startProgram(cleanups, bareServer, { PORT: String(barePort), DATABASE_URL: databaseUrl }, "listening");
  const cookie = await signIn(origin);
  await compareInRounds(
    {
      name: "GET /redux",
      ours: { name: "Nido", url: `${origin}/redux` },
      peers: [{ name: "Fastify route with one indexed select", url: `http://localhost:${barePort}/` }],
      rounds: 7,
      load: ({ name, url }) => requestsPerSecond(name, url, cookie),
    },
    report,
  );
}

async function requestsPerSecond(name: string, url: string, cookie: string): Promise<number> {
  const { requests, non2xx, errors } = await autocannon({ url, headers: { cookie }, ...load });
  if (non2xx > 0 || errors > 0) throw new Error(`${name}: ${non2xx} answers other than 2xx, ${errors} errors`);
  return requests.average;
}

async function signIn(origin: string): Promise<string> {
  const body = new URLSearchParams({ username: "demo@nido.example", password: "Demo1234" });
  const response = await fetch(`${origin}/auth/simple`, { method: "POST", body });
  const cookie = response.headers.getSetCookie()[0]?.split(";")[0];
  if (!response.ok || !cookie) throw new Error(`The demo customer could not sign in: status ${response.status}`);
  return cookie;
}
