import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync, zipSync } from "fflate";
import { afterAll, describe, expect, test } from "vitest";
import { planMoveIn, targetOf } from "./planMoveIn.ts";
import { ArchiveError, readArchive } from "./readArchive.ts";

const folder = mkdtempSync(join(tmpdir(), "nido-movein-"));
afterAll(() => rmSync(folder, { recursive: true }));

const dump = `-- MySQL dump
/*!40101 SET NAMES utf8mb4 */;
DROP TABLE IF EXISTS \`blog7_options\`;
CREATE TABLE \`blog7_options\` (\`option_id\` bigint);
INSERT INTO \`blog7_options\` VALUES (1,'siteurl','https://floristeria.example','yes'),(2,'db_version','58975','yes');
CREATE TABLE \`blog7_posts\` (id int);
CREATE TABLE \`blog7_users\` (id int);
CREATE TABLE \`blog7_usermeta\` (id int);
CREATE TABLE \`forum_options\` (id int);
`;
const site = {
  "backup/public_html/wp-content/plugins/akismet/akismet.php": "<?php",
  "backup/public_html/wp-content/plugins/hello.php": "<?php",
  "backup/public_html/wp-content/themes/bosque/style.css": "body{}",
  "backup/public_html/wp-content/themes/bosque/vendor/wp-content/x.css": "x{}",
  "backup/public_html/wp-content/uploads/2024/01/flor.jpg": "jpeg",
  "backup/public_html/wp-content/object-cache.php": "<?php",
  "backup/public_html/wp-content/mu-plugins/host.php": "<?php",
  "backup/public_html/wp-content/cache/page.html": "<html>",
  "backup/public_html/wp-includes/version.php": "<?php\n$wp_version = '6.8.1';\n",
  "backup/public_html/wp-config.php": "<?php // secrets",
  "backup/db.sql": dump,
};

function write(files: Record<string, string>, name: string): string {
  const root = join(folder, name);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}
function zip(files: Record<string, string | Uint8Array>, name: string): string {
  const path = join(folder, name);
  const bytes = Object.entries(files).map(([each, content]) => [each, Buffer.from(content as string)]);
  writeFileSync(path, zipSync(Object.fromEntries(bytes)));
  return path;
}
async function pathsIn(archive: string) {
  const paths: string[] = [];
  for await (const { path } of readArchive(archive, 2 ** 30)) paths.push(path);
  return paths.sort();
}

const kinds = {
  zip: () => zip(site, "site.zip"),
  "tar.gz": () => {
    execFileSync("tar", ["-czf", join(folder, "site.tar.gz"), "-C", write(site, "tree"), "."]);
    return join(folder, "site.tar.gz");
  },
  tar: () => {
    execFileSync("tar", ["-cf", join(folder, "site.tar"), "-C", write(site, "tree"), "backup"]);
    return join(folder, "site.tar");
  },
};

test.each(Object.entries(kinds))(
  "a %s file is looked through: what comes in, what stays behind, the dump",
  async (_, make) => {
    const plan = await planMoveIn(make(), 2 ** 30);
    expect({ ...plan, left: plan.left.sort() }).toEqual({
      root: "backup/public_html/",
      files: 5,
      bytes: 5 + 5 + 6 + 3 + 4,
      wordpress: "6.8.1",
      plugins: ["akismet"],
      themes: ["bosque"],
      left: ["cache", "mu-plugins", "object-cache.php"],
      dump: "backup/db.sql",
      database: {
        prefix: "blog7_",
        tables: 4,
        url: "https://floristeria.example",
        version: 58975,
        isNetwork: false,
        bytes: dump.length,
      },
    });
    expect(targetOf(plan, "backup/public_html/wp-content/themes/bosque/style.css")).toBe("themes/bosque/style.css");
    expect(targetOf(plan, "backup/public_html/wp-config.php")).toBeUndefined();
    expect(targetOf(plan, "backup/public_html/wp-content/db.php")).toBeUndefined();
  },
);

test("a compressed dump in the folder itself is found, and a network of sites is recognised", async () => {
  const network = `${dump}CREATE TABLE \`blog7_blogs\` (id int);`;
  const archive = zip({ "wp-content/x.sql.gz": gzipSync(Buffer.from(network)), "wp-content/index.php": "" }, "gz.zip");
  const plan = await planMoveIn(archive, 2 ** 30);
  expect(plan).toMatchObject({ root: "", files: 1, dump: "wp-content/x.sql.gz", database: { isNetwork: true } });
});

describe("hostile archives", () => {
  test("lead nowhere but below the folder", async () => {
    const names = {
      "../../etc/cron.d/x": "x",
      "/etc/x": "x",
      "wp-content\\..\\x": "x",
      "a/./b//c": "x",
      ["é".repeat(130)]: "x",
    };
    expect(await pathsIn(zip(names, "paths.zip"))).toEqual(["a/b/c", "etc/x"]);
    const tree = write({ "a/b/c": "x", "a/x\ny": "x" }, "odd");
    execFileSync("tar", ["-cPf", join(folder, "odd.tar"), "-C", tree, "--transform=s#a/b/c#../../etc/x#", "./a"]);
    expect(await pathsIn(join(folder, "odd.tar"))).toEqual([]);
    const root = write({ "wp-content/a.txt": "a" }, "links");
    symlinkSync("/etc/passwd", join(root, "wp-content/link"));
    execFileSync("mkfifo", [join(root, "wp-content/fifo")]);
    execFileSync("tar", ["-czf", join(folder, "links.tgz"), "-C", root, "wp-content"]);
    expect(await pathsIn(join(folder, "links.tgz"))).toEqual(["wp-content/a.txt"]);
  });

  test.each([
    ["no archive", Buffer.from("hello, this is a text")],
    ["an empty file", Buffer.alloc(0)],
    ["half a ZIP file", Buffer.from(zipSync({ a: Buffer.alloc(9999, "x") })).subarray(0, 60)],
    ["half a tar.gz file", Buffer.from(gzipSync(Buffer.alloc(99_999, 7))).subarray(0, 90)],
  ])("%s is refused as such", async (name, bytes) => {
    const file = join(folder, "bad");
    writeFileSync(file, bytes);
    await expect(pathsIn(file), name).rejects.toThrow(ArchiveError);
  });

  test.each(["bomb.tar.gz", "bomb2.zip", "dump.zip"])("%s unpacks to too much, and is refused", async (name) => {
    const large = Buffer.alloc(30_000_000);
    const file = join(folder, name);
    if (name === "bomb.tar.gz") {
      execFileSync("tar", ["-czf", file, "-C", write({ "wp-content/a.bin": large.toString() }, "bomb"), "wp-content"]);
    } else if (name === "bomb2.zip") writeFileSync(file, zipSync({ "wp-content/a.bin": large }));
    else writeFileSync(file, zipSync({ "wp-content/a.txt": Buffer.from("a"), "a.sql.gz": gzipSync(large) }));
    await expect(planMoveIn(file, 20_000_000)).rejects.toThrow(ArchiveError);
  });

  test("a ZIP file that unpacks to more than it says is refused while it is read", async () => {
    const archive = zip({ "wp-content/bomb.txt": "x".repeat(10_000_000) }, "bomb.zip");
    const bytes = readFileSync(archive);
    const central = bytes.lastIndexOf(Buffer.from("PK\x01\x02", "latin1"));
    bytes.writeUInt32LE(100, central + 24);
    writeFileSync(archive, bytes);
    const read = async () => {
      for await (const file of readArchive(archive, 2 ** 30)) for await (const _ of await file.read());
    };
    await expect(read()).rejects.toThrow(/uncompressed|too many bytes/i);
  });
});
