import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fastify from "fastify";
import { zipSync } from "fflate";
import { expect, onTestFinished, test } from "vitest";
import { CoreStore } from "./CoreStore.ts";
import { configuredCore } from "./configuredCore.ts";
import { unzip } from "./unzip.ts";
import { coreOfWordPressOrg } from "./wordpressOrg.ts";

const { log } = fastify();

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "nido-core-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function filesOf(version: string): Record<string, Uint8Array> {
  const texts = {
    "wp-includes/version.php": `<?php $wp_version = '${version}';`,
    "index.php": "<?php",
    "wp-content/themes/twentytest/style.css": "/*\nTheme Name: Test\nVersion: 1.3\n*/",
  };
  return Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, Buffer.from(text)]));
}

const zipOf = (files: Record<string, Uint8Array>, within = "wordpress/") =>
  zipSync(Object.fromEntries(Object.entries(files).map(([path, bytes]) => [within + path, bytes])));

/** A stand-in for the API of wordpress.org. */
async function startApi(versions: string[], damage: (files: Record<string, Uint8Array>) => void = () => undefined) {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://api");
    const version = searchParams.get("version") ?? "";
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const send = (body: unknown) => response.end(JSON.stringify(body));
    if (pathname === "/core/version-check/1.7/")
      return send({ offers: versions.map((offer) => ({ version: offer, download: `${origin}/zip/${offer}` })) });
    if (pathname === "/translations/core/1.0/")
      return send({ translations: [{ language: "es_ES", package: `${origin}/es` }] });
    if (pathname === "/translations/themes/1.0/" && searchParams.get("slug") === "twentytest")
      return send({ translations: [{ language: "es_ES", package: `${origin}/es-theme-${version}` }] });
    if (pathname.startsWith("/translations/")) return send({ translations: [] });
    if (pathname.startsWith("/es-theme-"))
      return response.end(zipOf({ "twentytest-es_ES.mo": Buffer.from(pathname) }, ""));
    if (pathname === "/core/checksums/1.0/") {
      const sums = Object.entries(filesOf(version)).map(([path, bytes]) => [
        path,
        createHash("md5").update(bytes).digest("hex"),
      ]);
      return send({ checksums: Object.fromEntries(sums) });
    }
    if (pathname === "/es") return response.end(zipOf({ "es_ES.mo": Buffer.from("hola") }, ""));
    const files = filesOf(pathname.split("/").at(-1) ?? "");
    damage(files);
    return response.end(zipOf(files));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("the newest version is fetched from wordpress.org with Spanish; sites find the newest of their release line", async () => {
  const folder = newFolder();
  const first = new CoreStore(folder, { org: coreOfWordPressOrg(await startApi(["6.8.1"])) }, log);
  const core = await first.current();
  expect(core.version).toBe("6.8.1");
  expect(readFileSync(join(core.folder, "wp-content/languages/es_ES.mo"), "utf8")).toBe("hola");
  expect(readFileSync(join(core.folder, "wp-content/languages/themes/twentytest-es_ES.mo"), "utf8")).toBe(
    "/es-theme-1.3",
  );
  expect(existsSync(join(core.folder, "../wp-config.php"))).toBe(true);
  const later = new CoreStore(folder, { org: coreOfWordPressOrg(await startApi(["7.0", "6.9.3", "6.8.4"])) }, log);
  expect((await later.current()).version).toBe("6.8.1");
  expect((await later.update(["6.8.1", "5.9"])).version).toBe("7.0");
  expect((await later.current()).version).toBe("7.0");
  expect(await later.latestOf("6.8.1")).toBe("6.8.4");
  expect([later.has("6.8.4"), later.has("6.9.3")]).toEqual([true, false]);
  await later.keepOnly(["6.8.4"]);
  expect([later.has("6.8.1"), await later.latestOf("6.8.1")]).toEqual([false, "6.8.4"]);
});

test("a file with a wrong checksum is refused, and the next source is tried", async () => {
  const folder = newFolder();
  const api = await startApi(["6.8.1"], (files) => {
    files["index.php"] = Buffer.from("<?php evil();");
  });
  const configured = newFolder();
  const zip = join(configured, "wordpress.zip");
  writeFileSync(zip, zipOf(filesOf("6.8.0")));
  const store = new CoreStore(folder, { org: coreOfWordPressOrg(api), given: configuredCore(zip) }, log);
  expect((await store.current()).version).toBe("6.8.0");
  const alone = new CoreStore(newFolder(), { org: coreOfWordPressOrg(api) }, log);
  await expect(alone.current()).rejects.toThrow("org: wrong checksum of index.php. Set WORDPRESS_CORE");
});

test("concurrent calls share one fetch (single-flight); a failed fetch is retried", async () => {
  let fetches = 0;
  const source = async (target: string) => {
    fetches++;
    if (fetches === 1) throw new Error("not today");
    await unzip(zipOf(filesOf("6.8.0")), target, "wordpress/");
  };
  const store = new CoreStore(newFolder(), { source }, log);
  await expect(store.current()).rejects.toThrow("not today");
  const cores = await Promise.all([store.current(), store.current(), store.current()]);
  expect([fetches, cores.map(({ version }) => version)]).toEqual([2, ["6.8.0", "6.8.0", "6.8.0"]]);
});

test("unzip refuses a path outside of its target folder (zip slip)", async () => {
  const archive = zipSync({ "wordpress/../../evil.php": Buffer.from("x") });
  await expect(unzip(archive, newFolder(), "wordpress/")).rejects.toThrow("the archive contains the unsafe path");
});
