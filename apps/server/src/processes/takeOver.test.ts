import { execFileSync } from "node:child_process";
import { Agent, request as requestHttp } from "node:http";
import { type ClientHttp2Session, connect, constants } from "node:http2";
import { request as requestHttps, Agent as TlsAgent } from "node:https";
import type { LookupFunction } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { createDatabase } from "@nido/test-kit/database";
import { freePort } from "@nido/test-kit/freePort";
import { publishSite } from "@nido/test-kit/httpsSite";
import { testLong } from "@nido/test-kit/long";
import { ended, settings, start } from "@nido/test-kit/product";
import { eventually } from "@nido/test-kit/waitUntil";
import { expect, onTestFinished, test } from "vitest";

const program = ["scripts/launch.mjs", "scripts/start.ts"];

/** Ids of the product's processes below a launcher: the main one and the web processes. */
function productProcesses(launcher: number): number[] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" }).trim().split("\n");
  const processes = lines.map((line) => {
    const [pid, parent, ...args] = line.trim().split(/\s+/);
    return { pid: Number(pid), parent: Number(parent), args: args.join(" ") };
  });
  const childrenOf = (pid: number, program: string) =>
    processes.filter(({ parent, args }) => parent === pid && args.includes(program)).map((child) => child.pid);
  return childrenOf(launcher, "start.ts").flatMap((main) => [main, ...childrenOf(main, "webProcess.ts")]);
}

/** Visitors of the dashboard's health check and of a site, who keep their connections for as long as the server does. */
function openVisitors(httpPort: number, httpsPort: number) {
  const statuses = new Map<string, number>();
  let isOver = false;
  const visit = async (name: string, get: () => Promise<number | undefined>) => {
    while (!isOver) {
      const key = `${name} ${await get().catch((error) => error.code ?? error.message)}`;
      statuses.set(key, (statuses.get(key) ?? 0) + 1);
    }
  };

  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const tlsAgent = new TlsAgent({ keepAlive: true, maxSockets: 8, rejectUnauthorized: false });
  const http = () => statusOf(requestHttp({ agent, port: httpPort, path: "/healthz" }));
  const https = (host: string, path: string) => () =>
    statusOf(requestHttps({ agent: tlsAgent, host, lookup, port: httpsPort, path }));

  const openHttp2 = (host: string, path: string) => {
    let session: ClientHttp2Session | undefined;
    const get = () =>
      new Promise<number>((resolve, reject) => {
        if (!session || session.closed || session.destroyed) {
          const opened = connect(`https://${host}:${httpsPort}`, { rejectUnauthorized: false, lookup });
          opened.on("error", reject).on("goaway", () => opened.close());
          session = opened;
        }
        const stream = session.request({ [constants.HTTP2_HEADER_PATH]: path });
        stream.on("response", (headers) => resolve(headers[":status"] as number));
        // As browsers do: a refused stream has not been processed, and is repeated on another connection.
        stream.on("error", (error) => {
          if (stream.rstCode === constants.NGHTTP2_REFUSED_STREAM) resolve(get());
          else reject(error);
        });
        stream.resume();
      });
    return get;
  };
  const visits = [
    ...Array.from({ length: 4 }, () => visit("HTTP/1.1", http)),
    ...Array.from({ length: 3 }, () => visit("HTTPS/1.1", https("localhost", "/healthz"))),
    ...Array.from({ length: 3 }, () => visit("HTTPS/1.1", https("folio.localhost", "/"))),
    ...Array.from({ length: 2 }, () => visit("HTTP/2", openHttp2("localhost", "/healthz"))),
    ...Array.from({ length: 2 }, () => visit("HTTP/2", openHttp2("folio.localhost", "/"))),
  ];
  return {
    statuses,
    stop: async () => {
      isOver = true;
      await Promise.all(visits);
      agent.destroy();
      tlsAgent.destroy();
    },
  };
}

/** Not every resolver knows the names below localhost. */
const lookup = ((_host, { all }, done) =>
  all ? done(null, [{ address: "127.0.0.1", family: 4 }]) : done(null, "127.0.0.1", 4)) as LookupFunction;

function statusOf(request: ReturnType<typeof requestHttp>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request.on("error", reject);
    request.on("response", (response) => {
      response.resume().on("end", () => resolve(response.statusCode));
    });
    if (request.method === "GET") request.end();
  });
}

async function signInSlowly(port: number, user: number): Promise<number | undefined> {
  const headers = { "content-type": "application/x-www-form-urlencoded", "content-length": 22 };
  const request = requestHttps({ port, rejectUnauthorized: false, path: "/auth/simple", method: "POST", headers });
  const status = statusOf(request);
  request.write(`username=a${user}`);
  await pause(6000);
  request.end("&password=x");
  return status;
}

/** Two products cannot share the stand-ins. */
const noStandIns = {
  GOOGLE_CLIENT_ID: "id",
  GOOGLE_CLIENT_SECRET: "secret",
  STRIPE_SECRET_KEY: "sk_test_none",
  STRIPE_WEBHOOK_SECRET: "whsec_none",
  STRIPE_API_URL: "http://127.0.0.1:9",
  SMTP_URL: "smtp://127.0.0.1:9",
  LOG_LEVEL: "silent",
};

testLong("SIGUSR2 replaces all processes, and no request fails", async () => {
  const { env, port } = await settings();
  const [httpsPort, databaseUrl] = [await freePort(), await createDatabase()];
  const own = { PROCESSES: "2", HTTPS_PORT: String(httpsPort), DATABASE_URL: databaseUrl };
  const nido = await start({ program, env: { ...env, ...own, ...noStandIns } });
  await publishSite(databaseUrl, httpsPort);
  const launcher = nido.child.pid as number;
  onTestFinished(() => {
    for (const pid of productProcesses(launcher)) process.kill(pid, "SIGKILL");
  });
  const visitors = openVisitors(port, httpsPort);

  for (let round = 0; round < 2; round++) {
    const before = productProcesses(launcher);
    expect(before).toHaveLength(3);
    nido.child.kill("SIGUSR2");
    await eventually(() => expect(productProcesses(launcher)).toHaveLength(6));
    // Some of these requests reach the old processes, and are still running when those stop listening.
    const answers = Array.from({ length: 4 }, (_, n) => signInSlowly(httpsPort, 4 * round + n));
    expect(await Promise.all(answers)).toEqual(Array(4).fill(401));
    await eventually(() => {
      const after = productProcesses(launcher);
      expect(after).toHaveLength(3);
      expect(after.filter((pid) => before.includes(pid))).toEqual([]);
    });
  }
  await visitors.stop();
  expect([...visitors.statuses.keys()].sort()).toEqual(["HTTP/1.1 200", "HTTP/2 200", "HTTPS/1.1 200"]);
  for (const count of visitors.statuses.values()) expect(count).toBeGreaterThan(100);

  const last = productProcesses(launcher);
  nido.child.kill("SIGTERM");
  expect(await ended(nido.child)).toBe(0);
  for (const pid of last) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
});

/** Gives the real processes a bug that a signal sets off. */
const bug = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(
    "process.on('SIGWINCH', () => Promise.reject(new Error('a bug')))",
  )}`,
};

test("after an unhandled rejection, the only process is replaced while it serves, and not again at once", async () => {
  const { env, origin } = await settings();
  const own = { PROCESSES: "1", DATABASE_URL: await createDatabase() };
  const nido = await start({ program, env: { ...env, ...own, ...noStandIns, ...bug } });
  const launcher = nido.child.pid as number;
  const seen = new Set<number>();
  const [faulty] = productProcesses(launcher) as [number];
  process.kill(faulty, "SIGWINCH");
  process.kill(faulty, "SIGWINCH");
  await eventually(async () => {
    seen.add((await fetch(`${origin}/healthz`, { headers: { connection: "close" } })).status);
    expect(productProcesses(launcher)).toHaveLength(1);
    expect(productProcesses(launcher)).not.toContain(faulty);
  });
  expect([...seen]).toEqual([200]);
  // A product that fails again and again ends, and the service manager decides.
  process.kill(productProcesses(launcher)[0] as number, "SIGWINCH");
  expect(await ended(nido.child)).toBe(1);
});

test("a new product that cannot start replaces nothing", async () => {
  const { env, origin } = await settings();
  const nido = await start({ program, env: { ...env, DATABASE_URL: await createDatabase() } });
  // The stand-ins' port is in use: by the stand-ins of the running product.
  nido.child.kill("SIGUSR2");
  await nido.waitForOutput(/The new version did not start\. The old one keeps running\./);
  expect((await fetch(`${origin}/healthz`)).status).toBe(200);
  nido.child.kill("SIGTERM");
  expect(await ended(nido.child)).toBe(0);
});

test("after an unhandled rejection, a product that cannot be replaced drains and ends with a code for the service manager", async () => {
  const { env } = await settings();
  const nido = await start({ program, env: { ...env, ...bug, DATABASE_URL: await createDatabase() } });
  process.kill(productProcesses(nido.child.pid as number)[0] as number, "SIGWINCH");
  expect(await ended(nido.child)).toBe(1);
});
