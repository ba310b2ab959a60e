import { setTimeout as pause } from "node:timers/promises";
import { openConnection, startWithSite } from "@nido/test-kit/httpsSite";
import { eventually } from "@nido/test-kit/waitUntil";
import { webProcesses } from "@nido/test-kit/webProcesses";
import { sql } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { connect } from "../db/connect.ts";

/** npm run test:long sets it to 100,000. */
const requests = Number(process.env["NIDO_TEST_VISITS"] ?? 4000);
const connections = 16;
const agent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36";

test(`${requests} requests to four processes are counted, also if one is killed once it has stored its counts`, async () => {
  const { port, pid, databaseUrl } = await startWithSite({ PROCESSES: "4" });
  const db = connect(databaseUrl);
  onTestFinished(() => db.$client.end());
  const counted = async () => {
    const { rows } = await db.execute<{ requests: number; views: number }>(
      sql`select coalesce(sum(requests), 0)::int as requests, coalesce(sum(views), 0)::int as views from traffic`,
    );
    return rows[0] as { requests: number; views: number };
  };
  const { requests: before } = await counted();
  const send = async (count: number) => {
    await Promise.all(
      Array.from({ length: connections }, async () => {
        const { request, session } = openConnection(port, "folio.localhost");
        for (let sent = 0; sent < count / connections; sent++)
          await request("folio.localhost", { "user-agent": agent, "sec-fetch-dest": "document" });
        session.destroy();
      }),
    );
  };
  const half = requests / 2;
  await send(half);
  const isExact = async (count: number) => {
    const { requests: all, views } = await counted();
    expect(all - before).toBeGreaterThanOrEqual(count * 0.99);
    expect(all - before).toBeLessThanOrEqual(count * 1.01);
    expect(views).toBeGreaterThanOrEqual(count * 0.99);
  };
  await eventually(() => isExact(half));
  const [victim] = webProcesses(pid);
  if (victim && victim !== pid) process.kill(victim, "SIGKILL");
  await pause(3000); // another process takes its place
  await send(half);
  await eventually(() => isExact(requests));
});
