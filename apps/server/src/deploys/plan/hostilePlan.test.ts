import { createHash } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { createCustomer, type TestApp } from "@nido/test-kit/app";
import { cliOf, giveToken, openPublisher } from "@nido/test-kit/publish";
import { addProject } from "@nido/test-kit/seed";
import { ask } from "@nido/test-kit/sites";
import { sql } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";
import { rateLimits } from "../../config/rateLimits.ts";
import { parsePlan } from "./parsePlan.ts";

// Counts the plans that this thread parses. The thread for large ones has a module of its own.
vi.mock(import("./parsePlan.ts"), { spy: true });

const filesPerDeploy = 100_000;

function listOf(count: number) {
  return Array.from({ length: count }, (_, n) => ({
    path: `folder-${n % 100}/file-${n}.html`,
    sha256: createHash("sha256").update(String(n)).digest("hex"),
    size: 10,
  }));
}

async function ownerOf({ db }: TestApp, project: string): Promise<string> {
  const { rows } = await db.execute(sql`select user_id from projects where name = ${project}`);
  return String(rows[0]?.["user_id"]);
}

/** A customer who attacks, and a neighbour with a published site. */
async function openAttack() {
  const publisher = await openPublisher(createCustomer);
  const { server, address } = publisher;
  const otherId = await createCustomer(server, "neighbour@example.com");
  await addProject(server.db, otherId, "neighbour", { recipe: "static_starter" });
  const neighbour = cliOf(address, await giveToken(server, otherId));
  await neighbour.publish("neighbour", { "index.html": "the neighbour's page" });
  /** Counts the neighbour's pages that are answered before the attack is. */
  const countDuring = async (attack: Promise<unknown>) => {
    let isOver = false;
    void attack.finally(() => {
      isOver = true;
    });
    let count = 0;
    for (; !isOver; count++) {
      const page = await ask(address, "neighbour.localhost:3000", "/");
      expect([page.status, page.text]).toEqual([200, "the neighbour's page"]);
    }
    return count;
  };
  return { ...publisher, countDuring };
}

test("a plan with 100,000 files, valid or not, does not hold up a neighbour's visitors", async () => {
  const { cli, countDuring } = await openAttack();
  const files = listOf(filesPerDeploy);
  const invalid = files.map((file) => ({ ...file, sha256: "x" }));
  const plan = (list: unknown) =>
    cli.call("POST", "/projects/folio/deploys", { key: crypto.randomUUID(), files: list });

  vi.mocked(parsePlan).mockClear();
  const refused = plan(invalid);
  expect(await countDuring(refused)).toBeGreaterThan(10);
  expect(await refused).toMatchObject({ status: 400, body: { error: "error_invalid_input" } });

  const planned = plan(files);
  expect(await countDuring(planned)).toBeGreaterThan(20);
  const { status, body } = (await planned) as { status: number; body: { missing: string[]; added: string[] } };
  expect([status, body.missing.length, body.added.length]).toEqual([200, filesPerDeploy, filesPerDeploy]);

  expect(vi.mocked(parsePlan).mock.calls.length).toBe(0);

  const tooMany = await plan([...files, { path: "x", sha256: "0".repeat(64), size: 1 }]);
  expect(tooMany).toMatchObject({ status: 413, body: { error: "error_files_too_many" } });
});

test("the list of files is not read for a project that is not the customer's", async () => {
  const { address, server, userId } = await openAttack();
  const token = await giveToken(server, userId);
  const cli = cliOf(address, token);
  const invalid = { key: crypto.randomUUID(), files: "none" };
  expect((await cli.call("POST", "/projects/folio/deploys", invalid)).status).toBe(400);
  expect((await cli.call("POST", "/projects/neighbour/deploys", invalid)).status).toBe(404);
  const socket = connect(Number(address.split(":")[1]), "127.0.0.1");
  socket.write(
    `POST /api/cli/projects/neighbour/deploys HTTP/1.1\r\nhost: localhost:3000\r\nauthorization: Bearer ${token}\r\n` +
      "content-type: application/json\r\ncontent-length: 30000000\r\n\r\n{",
  );
  const [answer] = await once(socket, "data");
  socket.destroy();
  expect(String(answer)).toMatch(/^HTTP\/1\.1 404 /);
});

test("a customer's slow large plans do not keep a neighbour from publishing", async () => {
  const { address, server, userId } = await openAttack();
  const token = await giveToken(server, userId);
  const body = "{".padEnd(2 ** 20 + 1);
  const begin = () => {
    const socket = connect(Number(address.split(":")[1]), "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => undefined); // the refused one is closed while it sends the rest
    socket.write(
      `POST /api/cli/projects/folio/deploys HTTP/1.1\r\nhost: localhost:3000\r\nauthorization: Bearer ${token}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n{`,
    );
    const status = once(socket, "data").then(([answer]) => Number(String(answer).split(" ")[1]));
    return { socket, status };
  };
  const slow = [begin(), begin(), begin()];
  const neighbour = cliOf(address, await giveToken(server, await ownerOf(server, "neighbour")));
  const plan = { key: crypto.randomUUID(), files: listOf(20_000) };
  expect((await neighbour.call("POST", "/projects/neighbour/deploys", plan)).status).toBe(200);
  // Whichever of them arrived first holds the customer's slot until its invalid body is complete.
  for (const { socket } of slow) socket.write(body.slice(1));
  expect((await Promise.all(slow.map(({ status }) => status))).toSorted()).toEqual([400, 429, 429]);
});

test("a customer who makes too many plans is refused, and a neighbour is not", async () => {
  const { address, cli, server, userId } = await openAttack();
  const neighbour = cliOf(address, await giveToken(server, await ownerOf(server, "neighbour")));
  await server.db.execute(sql`insert into attempts (key, count, resets_at)
    values (${`deployPlans ${userId}`}, ${rateLimits.deployPlans.max - 1}, now() + interval '1 hour')`);
  const files = { "index.html": "x" };
  expect((await cli.plan("folio", files)).status).toBe(200);
  expect((await cli.plan("folio", files)).status).toBe(429);
  expect((await neighbour.plan("neighbour", files)).status).toBe(200);
});

test("storage, listed files and deploys a day are limited for each customer", async () => {
  const { cli, server, userId } = await openAttack();
  const plan = (size: number) =>
    cli.plan(
      "folio",
      { "index.html": crypto.randomUUID() },
      {
        files: [{ path: "index.html", sha256: createHash("sha256").update(crypto.randomUUID()).digest("hex"), size }],
      },
    );
  const first = await plan(1000);
  expect(first.body.storage).toEqual({ used: 1000, allowed: 5e9 });
  await server.db.execute(sql`update users set stored_bytes = 4999998000 where id = ${userId}`);
  expect((await plan(1001)).body).toEqual({ error: "error_storage_full", detail: "5001 MB / 5000 MB" });
  expect((await plan(1000)).status).toBe(200);
  await server.db.execute(sql`update deploys set file_count = 2000000 where id = ${first.body.id}`);
  expect((await plan(0)).body).toEqual({ error: "error_storage_full", detail: "2000002 / 2000000" });
  await server.db.execute(sql`update deploys set file_count = 1`);
  await server.db.execute(sql`insert into deploys (project_id, key, branch, message, files, file_count, size, missing, finished_at)
    select project_id, 'key' || n, branch, '', '[]', 0, 0, 0, now() from (select * from deploys where id = ${first.body.id}) one, generate_series(1, 200) n`);
  expect((await plan(0)).body.error).toBe("error_deploys_daily");
});

test("stored bytes are counted once, and are no longer counted after their blobs are collected", async () => {
  const { cli, server, userId } = await openAttack();
  const used = async () =>
    (await server.db.execute(sql`select stored_bytes from users where id = ${userId}`)).rows[0]?.["stored_bytes"];
  await cli.publish("folio", { "index.html": "x".repeat(100), "copy.html": "x".repeat(100) });
  await cli.publish("folio", { "index.html": "x".repeat(100), "new.html": "y".repeat(50) });
  expect(Number(await used())).toBe(150);
  await server.db.execute(sql`delete from branches`);
  await server.db.execute(sql`delete from deploys`);
  await server.db.execute(sql`update blobs set added_at = now() - interval '2 days'`);
  const { removeOldDeploys } = await import("../removeOldDeploys.ts");
  await removeOldDeploys(server.deploys);
  expect(Number(await used())).toBe(0);
});

test("garbage collection removes the oldest deploys of a customer whose storage is nearly full", async () => {
  const { cli, server, userId } = await openAttack();
  const ids: string[] = [];
  for (let n = 0; n < 6; n++) ids.push((await cli.publish("folio", { "index.html": `version ${n}` })).id);
  // As if each version had 700 MB of its own, of 5 GB.
  await server.db.execute(sql`update deploys set files = jsonb_set(files, '{0,2}', '700000000')
    from projects p where p.id = project_id and p.user_id = ${userId}`);
  const { removeOldDeploys } = await import("../removeOldDeploys.ts");
  await removeOldDeploys(server.deploys);
  const { rows } = await server.db.execute(sql`select d.id from deploys d join projects p on p.id = d.project_id
    where p.user_id = ${userId} order by d.created_at`);
  expect(rows.map(({ id }) => id)).toEqual(ids.slice(2));
});
