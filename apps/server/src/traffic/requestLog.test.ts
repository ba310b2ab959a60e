import type { RequestLogPage } from "@nido/contract";
import { createCustomer, listen, startApp } from "@nido/test-kit/app";
import { cliOf, giveToken, openPublisher } from "@nido/test-kit/publish";
import { addProject } from "@nido/test-kit/seed";
import { ask } from "@nido/test-kit/sites";
import { eventually } from "@nido/test-kit/waitUntil";
import { expect, test } from "vitest";
import { loggedPath, RecentRequests } from "./RecentRequests.ts";

const noted = { method: "GET", status: 200, bytes: 5, cache: "memory" as const };
const host = "folio.localhost:3000";
const files = { "index.html": "<h1>folio</h1>" };

test("each site has its share, and what visitors send can be printed", () => {
  const recent = new RecentRequests();
  recent.note("quiet", { ...noted, path: loggedPath("/a?secret=1") });
  for (let count = 0; count < 1000; count++) recent.note("busy", { ...noted, path: `/${count}` });
  recent.note("quiet", { ...noted, path: loggedPath(`/\x1b[31m\xf1${"x".repeat(300)}`) });
  const paths = (site: string) => recent.after(site, 0).map(({ path }) => path);
  expect(paths("quiet")).toEqual(["/a", expect.stringMatching(/^\/%1B\[31m%F1x{193}$/)]);
  expect(paths("busy")).toHaveLength(100);
  expect(paths("busy").at(-1)).toBe("/999");
  expect(recent.after("unknown", 0)).toEqual([]);
  for (let site = 0; site < 600; site++) recent.note(`site ${site}`, { ...noted, path: "/" });
  expect(recent.after("quiet", 0)).toEqual([]);
  expect(recent.after("site 599", 0)).toHaveLength(1);
});

test("requests that several processes answered are read once each, by their owner alone", async () => {
  const { server, address, userId, cli } = await openPublisher(createCustomer);
  const other = await startApp({ databaseUrl: server.databaseUrl });
  const otherAddress = await listen(other);
  await cli.publish("folio", files);
  let cursor: string | undefined;
  const seen: string[] = [];
  const read = async (by = cli) => {
    const query = cursor === undefined ? "" : `?cursor=${encodeURIComponent(cursor)}`;
    const { status, body } = await by.call<RequestLogPage & { error?: string }>(
      "GET",
      `/projects/folio/requests${query}`,
    );
    if (status !== 200) return body.error;
    cursor = body.cursor;
    seen.push(...body.requests.map(({ status: code, method, path, bytes }) => `${code} ${method} ${path} ${bytes}`));
    return undefined;
  };
  await ask(address, host, "/?utm=1");
  await ask(address, host, "/");
  await ask(otherAddress, host, "/elsewhere");
  await eventually(async () => {
    await read();
    expect(seen.map((line) => line.replace(/ \d+$/, "")).toSorted()).toEqual([
      "200 GET /",
      "200 GET /",
      "404 GET /elsewhere",
    ]);
  });
  await read();
  await ask(otherAddress, host, "/", { method: "HEAD" });
  await eventually(async () => {
    await read();
    expect(seen).toHaveLength(4);
  });
  expect(seen.at(-1)).toBe("200 HEAD / 0");
  cursor = "{nonsense";
  await eventually(async () => {
    await read();
    expect(seen.length).toBeGreaterThan(4);
  });

  await addProject(server.db, userId, "second", { recipe: "static_starter" });
  expect((await cli.call<RequestLogPage>("GET", "/projects/second/requests")).body.requests).toEqual([]);
  const bea = await createCustomer(server, "bea@example.com");
  expect(await read(cliOf(address, await giveToken(server, bea)))).toBe("error_project_not_found");
});

test("without statistics nothing is kept", async () => {
  const { cli } = await openPublisher(createCustomer, { env: { TRAFFIC_STATISTICS: "off" } });
  expect((await cli.call("GET", "/projects/folio/requests")).body.error).toBe("error_requests_not_logged");
});
