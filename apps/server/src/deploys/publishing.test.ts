import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { SiteFile } from "@nido/contract";
import { createCustomer } from "@nido/test-kit/app";
import { announced, cliOf, type Files, framed, giveToken, openPublisher, sha256Of } from "@nido/test-kit/publish";
import { addProject } from "@nido/test-kit/seed";
import { ask } from "@nido/test-kit/sites";
import { sql } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { compressDeploy } from "./compressDeploy.ts";
import { removeOldDeploys } from "./removeOldDeploys.ts";
import { receiveBlobs } from "./upload/receiveBlobs.ts";

async function open() {
  const folder = mkdtempSync(join(tmpdir(), "nido-published-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const publisher = await openPublisher(createCustomer, { env: { DATA_DIR: folder } });
  const visit = (path: string, headers: Record<string, string> = {}, name = "folio") =>
    ask(publisher.address, `${name}.localhost:3000`, path, { headers });
  return { ...publisher, visit, folder };
}

const site: Files = { "index.html": "<h1>one</h1>", "css/a.css": "body{}", "same.css": "body{}" };

test("only missing files are uploaded, the finished deploy is served, and a rollback serves an earlier one", async () => {
  const { cli, visit } = await open();
  expect((await visit("/")).text).toContain("casi en línea");
  const first = await cli.publish("folio", site);
  expect(first).toMatchObject({ sent: 2, url: "http://folio.localhost:3000" });
  expect((await visit("/")).text).toBe("<h1>one</h1>");

  const { body: plan } = await cli.plan(
    "folio",
    { "index.html": "<h1>two</h1>", "css/a.css": "body{}" },
    { dry_run: true },
  );
  expect(plan).toEqual({
    added: [],
    changed: ["index.html"],
    removed: ["same.css"],
    missing: [sha256Of("<h1>two</h1>")],
  });
  const second = await cli.publish("folio", { ...site, "index.html": "<h1>two</h1>" });
  expect(second.sent).toBe(1);
  expect((await visit("/")).text).toBe("<h1>two</h1>");

  const undone = await cli.call("POST", "/projects/folio/rollback", { deploy: first.id });
  expect(undone).toMatchObject({ status: 200, body: { id: first.id, url: first.url } });
  expect((await visit("/")).text).toBe("<h1>one</h1>");
  await cli.call("POST", "/projects/folio/rollback", { deploy: second.id });
  expect((await visit("/")).text).toBe("<h1>two</h1>");
});

test("finish accepts the last files in its body; with a wrong digest the deploy is not finished", async () => {
  const { cli, visit } = await open();
  const { body: plan } = await cli.plan("folio", { "index.html": "all in one" });
  const finish = (content: string) =>
    cli.call(
      "POST",
      `/deploys/${plan.id}/finish`,
      framed([content], () => sha256Of("all in one")),
    );
  expect(await finish("something!")).toMatchObject({ status: 422, body: { error: "error_digest_mismatch" } });
  expect((await visit("/")).text).toContain("casi en línea");
  for (const _ of [1, 2]) expect(await finish("all in one")).toMatchObject({ status: 200, body: { id: plan.id } });
  expect((await visit("/")).text).toBe("all in one");
});

test("main and the twenty branches that were published to last are kept", async () => {
  const { cli, server } = await open();
  await cli.publish("folio", site);
  for (let index = 0; index < 22; index++) await cli.publish("folio", site, { branch: `b${index}` });
  await cli.publish("folio", site, { branch: "b3" });
  const { rows } = await server.db.execute(sql`select name from branches order by changed_at`);
  const kept = Array.from({ length: 20 }, (_, index) => `b${index + 2}`).filter((name) => name !== "b3");
  expect(rows.map(({ name }) => name)).toEqual(["main", ...kept, "b3"]);
});

test("a branch is served at its own host, and main is unchanged", async () => {
  const { cli, visit } = await open();
  await cli.publish("folio", site);
  const preview = await cli.publish("folio", { "index.html": "soon" }, { branch: "new-look" });
  expect(preview.url).toBe("http://new-look--folio.localhost:3000");
  expect((await visit("/", {}, "new-look--folio")).text).toBe("soon");
  expect((await visit("/")).text).toBe("<h1>one</h1>");
  expect((await visit("/", {}, "other--folio")).status).toBe(404);
});

test("plan, upload and finish are idempotent, even if a newer deploy is served by then", async () => {
  const { cli, visit } = await open();
  const key = crypto.randomUUID();
  const { body: plan } = await cli.plan("folio", site, { key });
  expect((await cli.plan("folio", site, { key })).body).toEqual(plan);
  expect(await cli.plan("folio", { "other.html": "x" }, { key })).toMatchObject({ status: 400 });
  expect(await cli.call("POST", `/deploys/${plan.id}/finish`)).toEqual({
    status: 409,
    body: { error: "error_deploy_incomplete", missing: expect.arrayContaining(plan.missing) },
  });
  const files = framed(["<h1>one</h1>", "body{}"]);
  for (const _ of [1, 2]) expect((await cli.call("PUT", `/deploys/${plan.id}/files`, files)).status).toBe(200);
  const finish = () => cli.call("POST", `/deploys/${plan.id}/finish`);
  const answers = await Promise.all([finish(), finish(), finish()]);
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  await cli.publish("folio", { "index.html": "newer" });
  expect((await finish()).status).toBe(200);
  expect((await visit("/")).text).toBe("newer");
});

test("an unsafe or unportable path is refused, and nothing is stored", async () => {
  const { cli, server, folder } = await open();
  const [long, deep] = ["x".repeat(300), `${"y/".repeat(600)}z`];
  const outside = ["../x", "a/../../x", "/etc/passwd", "C:/x", "a\\..\\b", "./a"];
  for (const path of [...outside, "a\0b", "a//b", "a/", "", ".env", "a/.git/config", long, deep, "\ud800.txt"]) {
    const { status, body } = await cli.plan("folio", { "index.html": "x", [path]: "x" });
    expect([path, status, body.error]).toEqual([path, 400, "error_path_invalid"]);
  }
  expect(await server.db.execute(sql`select 1 from deploys`)).toMatchObject({ rows: [] });
  expect(existsSync(join(folder, "blobs"))).toBe(false);
  for (const path of [".well-known/security.txt", "a#b?c.html", "ñandú/días.html", "a b.html"])
    expect([path, (await cli.plan("folio", { [path]: "x" })).status]).toEqual([path, 200]);
});

test("colliding paths, too many files, too many bytes and malformed lists are refused", async () => {
  const { cli } = await open();
  const refusal = async (files: unknown) => {
    const { status, body } = await cli.call("POST", "/projects/folio/deploys", { key: crypto.randomUUID(), files });
    return [status, body.error];
  };
  expect(await refusal(announced({ "caf\u00e9": "1", "cafe\u0301": "2" }))).toEqual([400, "error_path_collision"]);
  expect(await refusal(announced({ a: "1", "a/b": "2" }))).toEqual([400, "error_path_collision"]);
  const [file] = announced({ "index.html": "x" });
  const many = Array.from({ length: 100_001 }, (_, index) => ({ ...file, path: `${index}.html` }));
  expect(await refusal(many)).toEqual([413, "error_files_too_many"]);
  expect(await refusal([{ ...file, size: 2e9 }])).toEqual([413, "error_disk_full"]);
  const full = await cli.plan(
    "folio",
    {},
    { files: [{ path: "film.mp4", sha256: "0".repeat(64), size: 1_200_000_001 }] },
  );
  expect(full.body).toEqual({ error: "error_disk_full", detail: "1201 MB / 1000 MB" });
  expect(await refusal([{ ...file, sha256: "abc" }])).toEqual([400, "error_invalid_input"]);
  expect(await refusal([{ ...file, size: -1 }])).toEqual([400, "error_invalid_input"]);
  expect(await refusal("x")).toEqual([400, "error_invalid_input"]);
  expect((await cli.plan("folio", site, { branch: "no--good" })).body.error).toBe("error_branch_invalid");
});

// The first size is buffered in memory, the second is too large for that.
test.each([3_000_000, 9_000_000])(
  "files with a wrong digest or a broken upload are not stored (%i bytes)",
  async (size) => {
    const { cli, address, server, folder, userId } = await open();
    const large = Buffer.alloc(size, "a");
    const { body: plan } = await cli.plan("folio", { "index.html": "right", "large.bin": large });
    const put = (bytes: Buffer) => cli.call("PUT", `/deploys/${plan.id}/files`, bytes);
    const asRight = () => sha256Of("right");
    expect(await put(framed(["wrong"], asRight))).toMatchObject({
      status: 422,
      body: { error: "error_digest_mismatch" },
    });
    expect(await put(framed(["unannounced"]))).toMatchObject({ status: 422 });
    const changed = Buffer.from(large);
    changed[1] = 0;
    expect(await put(framed([changed], () => sha256Of(large)))).toMatchObject({ status: 422 });
    expect(await put(framed([large]).subarray(0, -1))).toMatchObject({ status: 400 });
    expect(await put(Buffer.from("x"))).toMatchObject({ status: 400 });

    const token = await giveToken(server, userId);
    const body = framed([large]);
    const socket = connect(Number(address.split(":")[1]), "127.0.0.1");
    socket.write(
      `PUT /api/cli/deploys/${plan.id}/files HTTP/1.1\r\nhost: localhost:3000\r\nauthorization: Bearer ${token}\r\n` +
        `content-type: application/x-nido-files\r\ncontent-length: ${body.length}\r\n\r\n`,
    );
    socket.write(body.subarray(0, 2_000_000));
    await new Promise((resolve) => setTimeout(resolve, 200));
    socket.destroy();
    await expect.poll(() => globSync(join(folder, "blobs/*/*"))).toEqual([]);
    expect(await server.db.execute(sql`select 1 from blobs`)).toMatchObject({ rows: [] });
    expect(await put(Buffer.concat([framed(["right"]), framed(["wrong"], asRight)]))).toMatchObject({ status: 422 });
    expect((await cli.plan("folio", { "index.html": "right" })).body.missing).toEqual([sha256Of("right")]);
  },
);

test("receiveBlobs refuses a body that was aborted before it was read", async () => {
  const { cli, server, userId } = await open();
  const { body: plan } = await cli.plan("folio", site);
  for (const length of [1000, 8_000_000, 9_000_000, undefined]) {
    const body = new Readable({ read: () => undefined });
    body.destroy();
    await expect(receiveBlobs(server.deploys, userId, plan.id as string, body, length)).rejects.toThrow();
  }
});

test("sequential and concurrent uploads do not overwrite each other's buffers", async () => {
  const { cli, visit } = await open();
  const bytes = (letter: string, size: number) => Buffer.alloc(size, letter);
  await cli.publish("folio", { "a.bin": bytes("a", 5_000_000) });
  const { body: refused } = await cli.plan("folio", { "b.bin": bytes("b", 4_000_000) });
  const lie = framed([bytes("x", 4_000_000)], () => sha256Of(bytes("b", 4_000_000)));
  expect(await cli.call("PUT", `/deploys/${refused.id}/files`, lie)).toMatchObject({ status: 422 });
  const letters = [..."cdefghijkl"];
  const files = Object.fromEntries(
    letters.map((letter, index) => [letter, bytes(letter, 2_200_000 + index * 100_000)]),
  );
  const { body: plan } = await cli.plan("folio", files);
  await Promise.all(
    Object.values(files).map((content) => cli.call("PUT", `/deploys/${plan.id}/files`, framed([content]))),
  );
  expect(await cli.call("POST", `/deploys/${plan.id}/finish`)).toMatchObject({ status: 200 });
  for (const letter of letters) expect(sha256Of((await visit(`/${letter}`)).text)).toBe(sha256Of(files[letter] ?? ""));
});

test("a partial blob left by a killed server is replaced, and an upload renews a blob's modification time", async () => {
  const { cli, visit, folder, userId } = await open();
  const blob = (content: string) => join(folder, "blobs", userId, sha256Of(content));
  mkdirSync(join(folder, "blobs", userId), { recursive: true });
  writeFileSync(blob("whole page"), "whole");
  writeFileSync(blob(""), "");
  for (const content of ["whole page", ""]) utimesSync(blob(content), 1, 1);
  await cli.publish("folio", { "index.html": "whole page", "empty.txt": "" });
  expect((await visit("/")).text).toBe("whole page");
  expect((await visit("/empty.txt")).text).toBe("");
  for (const content of ["whole page", ""]) expect(statSync(blob(content)).mtimeMs).toBeGreaterThan(1000);
});

test("a wrong size or content for a stored blob is refused", async () => {
  const { cli, visit } = await open();
  await cli.publish("folio", site);
  const [file] = announced({ "index.html": "<h1>one</h1>" });
  const lie = (...files: unknown[]) => cli.call("POST", "/projects/folio/deploys", { key: crypto.randomUUID(), files });
  const refused = { status: 422, body: { error: "error_digest_mismatch" } };
  expect(await lie({ ...file, size: 1 })).toMatchObject(refused);
  expect(await lie(file, { ...file, path: "b", size: 0 })).toMatchObject(refused);
  // An upload under the digest of a stored blob does not replace its content.
  const { body: plan } = await cli.plan("folio", site);
  const put = await cli.call(
    "PUT",
    `/deploys/${plan.id}/files`,
    framed(["<h1>two</h1>"], () => sha256Of("<h1>one</h1>")),
  );
  expect(put.status).toBe(422);
  expect((await visit("/")).text).toBe("<h1>one</h1>");
  expect(await cli.call("PUT", `/deploys/${plan.id}/files`, {})).toMatchObject({ status: 415 });
});

test("a file whose blob is missing is answered with 503, and the other files are served", async () => {
  const { cli, visit, folder } = await open();
  await cli.publish("folio", { ...site, "large.bin": Buffer.alloc(3_000_000) });
  for (const name of readdirSync(join(folder, "blobs"), { recursive: true }).map(String))
    if (name.includes(sha256Of("body{}")) || name.includes(sha256Of(Buffer.alloc(3_000_000))))
      rmSync(join(folder, "blobs", name));
  const statuses = [];
  for (const path of ["/css/a.css", "/large.bin", "/"]) statuses.push((await visit(path)).status);
  expect(statuses).toEqual([503, 503, 200]);
});

test("another account's deploys and files are not found", async () => {
  const { cli, server, address } = await open();
  const { id } = await cli.publish("folio", site);
  const other = await createCustomer(server, "bea@example.com");
  await addProject(server.db, other, "beas", { recipe: "static_starter" });
  const bea = cliOf(address, await giveToken(server, other));
  // Bea announces files that only Ana has uploaded, so she must upload them herself.
  const { body: plan } = await bea.plan("beas", site);
  expect(plan.missing).toHaveLength(2);
  expect(await bea.call("POST", `/deploys/${plan.id}/finish`)).toMatchObject({ status: 409 });
  for (const answer of [
    await bea.call("PUT", `/deploys/${id}/files`, framed(["body{}"])),
    await bea.call("POST", `/deploys/${id}/finish`),
    await bea.call("POST", "/projects/beas/rollback", { deploy: id }),
  ])
    expect(answer).toMatchObject({ status: 404, body: { error: "error_deploy_not_found" } });
  expect(await bea.plan("folio", site)).toMatchObject({ status: 404, body: { error: "error_project_not_found" } });
  expect((await cliOf(address, "nido_wrong").call("GET", "/projects")).status).toBe(401);
});

test("publishing to a WordPress or a suspended site is refused", async () => {
  const { cli, server, userId } = await open();
  await addProject(server.db, userId, "myblog");
  await addProject(server.db, userId, "paused", { recipe: "static_starter", status: "suspended" });
  expect((await cli.plan("myblog", site)).body.error).toBe("error_project_not_static");
  expect((await cli.plan("paused", site)).body.error).toBe("error_project_suspended");
});

test("removeOldDeploys removes old deploys and their own blobs, and keeps what is served or recent", async () => {
  const { cli, server, visit, userId, folder } = await open();
  const blobs = () => readdirSync(join(folder, "blobs", userId));
  const published: string[] = [];
  for (let round = 0; round < 24; round++)
    published.push((await cli.publish("folio", { "index.html": `round ${round}`, "a.css": "body{}" })).id);
  await cli.call("POST", "/projects/folio/rollback", { deploy: published.at(-2) });
  const collect = () => removeOldDeploys(server.deploys);
  await collect();
  expect(blobs()).toHaveLength(25);
  await server.db.execute(
    sql`update deploys set finished_at = finished_at - interval '31 days', created_at = created_at - interval '31 days'`,
  );
  await collect();
  expect(await server.db.$count(sql`deploys`)).toBe(20);
  expect(blobs()).toHaveLength(25);
  await server.db.execute(sql`update blobs set added_at = added_at - interval '2 days'`);
  for (const name of blobs()) utimesSync(join(folder, "blobs", userId, name), 1, 1);
  // One was left by a killed process, the other is still being written.
  const unfinished = join(folder, "blobs/unfinished");
  mkdirSync(unfinished);
  for (const name of ["left", "growing"]) writeFileSync(join(unfinished, name), "half");
  utimesSync(join(unfinished, "left"), 1, 1);
  await collect();
  expect(blobs()).toHaveLength(21);
  expect(readdirSync(unfinished)).toEqual(["growing"]);
  expect((await visit("/")).text).toBe("round 22");
  expect((await cli.plan("folio", { "index.html": "round 0" })).body.missing).toHaveLength(1);
});

test("a deploy with a wrong announced size cannot finish, even if another deploy uploads the blob", async () => {
  const { cli, visit } = await open();
  await cli.publish("folio", { "index.html": "before" });
  const content = "twelve bytes";
  const [lie] = announced({ "index.html": content }).map((file) => ({ ...file, size: 5 }));
  const { body: lying } = await cli.plan("folio", {}, { files: [lie as SiteFile] });
  await cli.publish("folio", { "index.html": content }, { branch: "preview" });
  expect(await cli.call("POST", `/deploys/${lying.id}/finish`)).toMatchObject({
    status: 409,
    body: { missing: [sha256Of(content)] },
  });
  expect((await visit("/")).text).toBe("before");
});

test("compressDeploy refuses a damaged blob", async () => {
  const { cli, server, userId, folder } = await open();
  const text = `<p>${"hola mundo ".repeat(200)}</p>`;
  const { id } = await cli.publish("folio", { "index.html": text });
  writeFileSync(join(folder, "blobs", userId, sha256Of(text)), text.slice(0, 1000));
  await expect(compressDeploy(server.deploys, { deployId: id, userId })).rejects.toThrow("is damaged");
  expect(globSync(join(folder, "blobs/*/*.{gz,br}"))).toEqual([]);
});

test("after compressDeploy, files are served with br or gzip according to Accept-Encoding", async () => {
  const { cli, server, visit, userId } = await open();
  const text = `<p>${"hola mundo ".repeat(200)}</p>`;
  const { id } = await cli.publish("folio", { "index.html": text, "photo.png": Buffer.alloc(2000, 7) });
  expect((await visit("/", { "accept-encoding": "gzip, br" })).headers["content-encoding"]).toBeUndefined();
  await compressDeploy(server.deploys, { deployId: id, userId });
  const encodings = ["br", "gzip, deflate", "br;q=0, gzip", "identity", ""];
  const answers = [];
  await expect.poll(async () => (await visit("/", { "accept-encoding": "br" })).headers["content-encoding"]).toBe("br");
  for (const encoding of encodings) answers.push(await visit("/", { "accept-encoding": encoding }));
  expect(answers.map(({ headers }) => headers["content-encoding"])).toEqual([
    "br",
    "gzip",
    "gzip",
    undefined,
    undefined,
  ]);
  expect(new Set(answers.slice(0, 4).map(({ headers }) => headers.etag)).size).toBe(3);
  expect(answers.every(({ headers }) => headers.vary === "accept-encoding")).toBe(true);
  expect((await visit("/photo.png", { "accept-encoding": "br" })).headers["content-encoding"]).toBeUndefined();
});

test("two hundred visitors get only complete answers while a thousand files are published", async () => {
  const { cli, visit } = await open();
  const body = (version: number) => `<p>version ${version}</p>`.repeat(300);
  const build = (version: number): Files =>
    Object.fromEntries([
      ["index.html", body(version)],
      ...Array.from({ length: 1000 }, (_, index) => [`part${index}.txt`, `version ${version} of ${index}`]),
    ]);
  await cli.publish("folio", build(0));
  const seen = { answers: 0, faults: new Set<string>(), versions: new Set<string>() };
  let isDone = false;
  const visitors = Array.from({ length: 200 }, async (_, visitor) => {
    while (!isDone) {
      const { status, text } = await visit(visitor % 2 === 0 ? "/" : `/part${visitor}.txt`);
      const version = /version (\d+)/.exec(text)?.[1] ?? "";
      const isWhole = text === (visitor % 2 === 0 ? body(Number(version)) : `version ${version} of ${visitor}`);
      if (status !== 200 || !isWhole) seen.faults.add(`${status} ${text.slice(0, 60)}`);
      seen.answers++;
      seen.versions.add(version);
    }
  });
  for (const version of [1, 2]) await cli.publish("folio", build(version));
  isDone = true;
  await Promise.all(visitors);
  expect([...seen.faults]).toEqual([]);
  expect(seen.answers).toBeGreaterThan(200);
  expect([...seen.versions].length).toBeGreaterThan(1);
});
