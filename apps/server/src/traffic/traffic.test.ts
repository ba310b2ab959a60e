import type { ServerResponse } from "node:http";
import { connect as connectHttp2, createServer as createHttp2 } from "node:http2";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { TrafficPoint } from "@nido/contract";
import { createCustomer, signIn } from "@nido/test-kit/app";
import { openPublisher } from "@nido/test-kit/publish";
import { ask } from "@nido/test-kit/sites";
import { eventually } from "@nido/test-kit/waitUntil";
import { eq, sql } from "drizzle-orm";
import { describe, expect, onTestFinished, test } from "vitest";
import { connect } from "../db/connect.ts";
import { projects } from "../db/schema.ts";
import { countBytes } from "../edge/countBytes.ts";
import { addTraffic, condenseTraffic, findTraffic } from "./queries.ts";
import { visitKind } from "./visitKind.ts";

const chrome = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36";
const host = "mitienda.nido.localhost:3000";

test.each([
  ["a browser that opens a page", { "user-agent": chrome, "sec-fetch-dest": "document" }, "person document arrival"],
  [
    "a link on another site",
    { "user-agent": chrome, "sec-fetch-dest": "document", referer: "https://example.com/x" },
    "person document arrival",
  ],
  [
    "a link on the same site",
    { "user-agent": chrome, "sec-fetch-dest": "document", referer: `http://${host}/a` },
    "person document",
  ],
  [
    "the same site, without a path",
    { "user-agent": chrome, "sec-fetch-dest": "document", referer: `http://${host}` },
    "person document",
  ],
  [
    "a site whose name begins the same",
    { "user-agent": chrome, "sec-fetch-dest": "document", referer: `http://${host}1/` },
    "person document arrival",
  ],
  ["an image of a page", { "user-agent": chrome, "sec-fetch-dest": "image", referer: `http://${host}/` }, "person"],
  ["an old browser", { "user-agent": chrome, accept: "text/html,*/*" }, "person document arrival"],
  [
    "a search engine",
    { "user-agent": "Mozilla/5.0 (compatible; Googlebot/2.1)", accept: "text/html" },
    "bot document arrival",
  ],
  ["curl", { "user-agent": "curl/8.5.0" }, "bot arrival"],
  ["no agent at all", {}, "bot arrival"],
])("%s", (_what, headers, expected) => {
  const { isBot, isDocument, isArrival } = visitKind({ host, ...headers });
  const words = [isBot ? "bot" : "person", isDocument && "document", isArrival && "arrival"];
  expect(words.filter(Boolean).join(" ")).toBe(expected);
});

describe("a published site", () => {
  const files = { "index.html": "<h1>folio</h1>", "photo.jpg": "x".repeat(1000) };
  const page = { "user-agent": chrome, "sec-fetch-dest": "document" };
  const part = { "user-agent": chrome, "sec-fetch-dest": "image", referer: "http://folio.localhost:3000/" };

  test("is counted by visits, views, programs and bytes; its owner alone sees it", async () => {
    const { server, cli, address, userId } = await openPublisher(createCustomer);
    await cli.publish("folio", files);
    const visit = (path: string, headers: Record<string, string>) =>
      ask(address, "folio.localhost:3000", path, { headers });
    for (let count = 0; count < 3; count++) await visit("/", page);
    await visit("/", { ...page, referer: "http://folio.localhost:3000/about" });
    for (let count = 0; count < 5; count++) await visit("/photo.jpg", part);
    await visit("/missing", page);
    await visit("/", { "user-agent": "Googlebot/2.1" });

    const [project] = await server.db.select().from(projects).where(eq(projects.userId, userId));
    const own = await signIn(server);
    const read = async (range: string, headers = own, id = project?.id) => {
      const response = await server.app.inject({ url: `/api/projects/${id}/traffic?range=${range}`, headers });
      return { status: response.statusCode, points: response.json() as TrafficPoint[] };
    };
    await server.traffic?.flush();
    for (const [range, length] of [
      ["day", 24],
      ["month", 30],
      ["year", 12],
    ] as const) {
      const { points } = await read(range);
      expect(points).toHaveLength(length);
      expect(points.at(-1)).toMatchObject({ requests: 11, bots: 1, views: 4, visits: 3, php_ms: 0 });
      expect(points.at(-1)?.bytes).toBeGreaterThanOrEqual(5 * 1000 + 5 * 14);
      expect(points.at(-2)?.requests).toBe(0);
    }
    // The charts are the same whatever the time zone of the database.
    const zone = encodeURIComponent("-c TimeZone=America/Bogota");
    const abroad = connect(`${server.databaseUrl}${server.databaseUrl.includes("?") ? "&" : "?"}options=${zone}`);
    onTestFinished(() => abroad.$client.end());
    for (const range of ["day", "month", "year"] as const)
      expect(await findTraffic(abroad, userId, project?.id ?? "", range)).toEqual((await read(range)).points);
    await createCustomer(server, "bea@example.com");
    expect((await read("day", await signIn(server, "bea@example.com"))).status).toBe(404);
    expect((await read("day", own, "nonsense")).status).toBe(404);
    expect((await read("century")).status).toBe(400);
  });

  test("what cannot be stored is stored later, and a stop stores the rest", async () => {
    const { server, cli, address } = await openPublisher(createCustomer);
    await cli.publish("folio", files);
    const stored = async () => {
      const { rows } = await server.db.execute(sql`select coalesce(sum(requests), 0)::int as sum from traffic`);
      return rows[0]?.["sum"];
    };
    await ask(address, "folio.localhost:3000", "/");
    await server.db.execute(sql`alter table traffic rename to elsewhere`);
    await server.traffic?.flush();
    await server.db.execute(sql`alter table elsewhere rename to traffic`);
    expect(await stored()).toBe(0);
    await ask(address, "folio.localhost:3000", "/");
    await server.traffic?.stop();
    expect(await stored()).toBe(2);
  });

  test("old hours become days without losing a visit, and very old ones are removed", async () => {
    const { server, cli } = await openPublisher(createCustomer);
    await cli.publish("folio", files);
    await server.db.execute(sql`insert into traffic (project_id, at, requests, bots, views, visits, bytes, php_ms)
      select projects.id, hour, 1, 0, 1, 1, 10, 0 from projects,
      generate_series(date_trunc('hour', now()) - interval '450 days', now(), interval '1 hour') as hour`);
    const sums = async () => {
      const { rows } =
        await server.db.execute(sql`select count(*)::int as rows, sum(requests)::int as requests from traffic
        where at >= date_trunc('day', now() - interval '390 days', 'UTC')`);
      return rows[0] as { rows: number; requests: number };
    };
    const before = await sums();
    await condenseTraffic(server.db);
    await condenseTraffic(server.db);
    const after = await sums();
    expect(after.requests).toBe(before.requests);
    expect(after.rows).toBeLessThan(33 * 24 + 370);
    const { rows } = await server.db.execute(
      sql`select count(*)::int as old from traffic where at < now() - interval '400 days'`,
    );
    expect(rows).toEqual([{ old: 0 }]);
  });

  test("a project that was deleted meanwhile does not keep the others from being stored", async () => {
    const { server, cli, userId } = await openPublisher(createCustomer);
    await cli.publish("folio", files);
    const [project] = await server.db.select().from(projects).where(eq(projects.userId, userId));
    const counts = { requests: 1, bots: 0, views: 0, visits: 0, bytes: 5, phpMs: 1.6 };
    await addTraffic(
      server.db,
      new Map([
        [crypto.randomUUID(), counts],
        [project?.id as string, counts],
      ]),
    );
    const { rows } = await server.db.execute(sql`select requests::int, php_ms::int from traffic`);
    expect(rows).toEqual([{ requests: 1, php_ms: 2 }]);
  });

  test("a body is counted once over HTTP/2, where `end` writes it", async () => {
    const counted: number[] = [];
    const server = createHttp2((_request, response) => {
      countBytes(response as unknown as ServerResponse, (bytes) => counted.push(bytes));
      response.write("12345");
      response.end("678");
    }).listen(0);
    const session = connectHttp2(`http://localhost:${(server.address() as AddressInfo).port}`);
    onTestFinished(() => {
      session.destroy();
      server.close();
    });
    expect(await text(session.request({ ":path": "/" }))).toBe("12345678");
    await eventually(async () => expect(counted).toEqual([8]));
  });
});
