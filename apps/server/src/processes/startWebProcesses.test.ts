import { createDatabase } from "@nido/test-kit/database";
import { ended, settings, signIn, start } from "@nido/test-kit/product";
import { eventually } from "@nido/test-kit/waitUntil";
import { webProcesses } from "@nido/test-kit/webProcesses";
import { expect, test } from "vitest";

test("web processes share sessions, a killed one is replaced, and all stop with the main process", async () => {
  const { env, origin } = await settings();
  const nido = await start({
    env: { ...env, PROCESSES: "2", DATABASE_URL: await createDatabase(), LOG_LEVEL: "fatal" },
  });
  const main = nido.child.pid as number;
  const workers = () => webProcesses(main).filter((pid) => pid !== main);
  const asks = () =>
    Promise.all(Array.from({ length: 20 }, () => fetch(`${origin}/healthz`).then(({ status }) => status)));
  const first = workers();
  expect(first).toHaveLength(2);
  // A session opened in one process is valid in the other.
  const cookie = await signIn(origin);
  const states = Array.from({ length: 10 }, () =>
    fetch(`${origin}/redux`, { headers: { cookie, connection: "close" } }),
  );
  expect(new Set((await Promise.all(states)).map(({ status }) => status))).toEqual(new Set([200]));

  process.kill(first[0] as number, "SIGKILL");
  await eventually(async () => {
    expect(workers()).toHaveLength(2);
    expect(new Set(await asks())).toEqual(new Set([200]));
  });
  expect(workers()).not.toContain(first[0]);
  nido.child.kill("SIGTERM");
  expect(await ended(nido.child)).toBe(0);
  expect(workers()).toEqual([]);
});

test("an unhandled rejection ends one web process, which is replaced while the other serves", async () => {
  const { env, origin } = await settings();
  // Gives the real processes a bug that a signal sets off.
  const bug = "process.on('SIGWINCH', () => Promise.reject(new Error('a bug')))";
  const nido = await start({
    env: {
      ...env,
      PROCESSES: "2",
      DATABASE_URL: await createDatabase(),
      LOG_LEVEL: "fatal",
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(bug)}`,
    },
  });
  const main = nido.child.pid as number;
  const workers = () => webProcesses(main).filter((pid) => pid !== main);
  const [faulty, other] = workers() as [number, number];
  const seen = new Set<number>();
  process.kill(faulty, "SIGWINCH");
  await eventually(async () => {
    // Without tcp_migrate_req, which the guide sets, a connection that waits at the closing socket is reset, and this
    // is repeated.
    seen.add((await fetch(`${origin}/healthz`, { headers: { connection: "close" } })).status);
    expect(workers()).toHaveLength(2);
    expect(workers()).not.toContain(faulty);
  });
  expect(workers()).toContain(other);
  expect([...seen]).toEqual([200]);
  nido.child.kill("SIGWINCH");
  expect(await ended(nido.child)).toBe(1);
  expect(workers()).toEqual([]);
});
