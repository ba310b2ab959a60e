import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { settingsOf, testedRuntimes } from "@nido/test-kit/native";
import { openSites, type Sites, type TestSite } from "@nido/test-kit/sites";
import { sql } from "drizzle-orm";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { rateLimits } from "../../../config/rateLimits.ts";
import { imagesFolder, removeOldForms } from "../../../wordpress/upkeep/removeOldForms.ts";
import { canConvertImages } from "./convertImage.ts";
import { formFor } from "./formFor.ts";

const isAble = canConvertImages();
if (!isAble) console.log("Skipped: other forms of images, because bubblewrap is not installed.");

const onPage = "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8";

test.each([
  [onPage, "avif"],
  ["image/webp,*/*", "webp"],
  ["image/avif;q=0, image/webp", "webp"],
  ["IMAGE/AVIF", "avif"],
  ["text/html,application/xhtml+xml,image/avif,image/webp,*/*;q=0.8", undefined],
  ["*/*", undefined],
  ["", undefined],
  [undefined, undefined],
])("who accepts %s gets %s", (accept, form) => expect(formFor(accept)).toBe(form));

const runtimes = isAble ? testedRuntimes("other forms of images") : [];

describe.each(runtimes)("the images of a site on the %s runtime", (runtime) => {
  let sites: Sites;
  let ana: TestSite;
  let bea: TestSite;
  const undos: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    const whenDone = (undo: () => Promise<void>) => void undos.unshift(undo);
    sites = await openSites(whenDone, await settingsOf(runtime, whenDone));
    ana = await sites.open("anasite");
    bea = await sites.open("beasite");
    for (const { folder } of [ana, bea]) mkdirSync(join(folder.content, "uploads"), { recursive: true });
  });
  afterAll(async () => {
    for (const site of [ana, bea]) if (site) await sites.server.wordpress.runtime.remove(site.id);
    for (const undo of undos) await undo();
  });
  beforeEach(async () => {
    await sites.server.db.execute(sql`delete from attempts`);
  });

  /** Something like a photo: smooth, with some noise. */
  async function photo(width = 800, height = 600) {
    const raw = Buffer.alloc(width * height * 3);
    for (let at = 0; at < raw.length; at++) raw[at] = 128 + 90 * Math.sin(at / 5000) + Math.floor(Math.random() * 20);
    return sharp(raw, { raw: { width, height, channels: 3 } });
  }
  const put = (name: string, content: Buffer) => writeFileSync(join(ana.folder.content, "uploads", name), content);
  const ask = (name: string, accept = onPage, headers = {}, method: "GET" | "HEAD" = "GET") =>
    ana.ask(`/wp-content/uploads/${name}`, { method, headers: { accept, ...headers } });
  const typeOf = async (name: string, accept?: string) => (await ask(name, accept)).headers["content-type"];
  const converted = (name: string, type: string, accept?: string) =>
    expect.poll(() => typeOf(name, accept), { timeout: 30_000, interval: 200 }).toBe(type);

  // First, because a process reserves a part of a budget with its first use.
  test("have a budget of each site, and a neighbour has its own", async () => {
    await sites.server.limiter.takeMany("imageForms", ana.id, rateLimits.imageForms.max);
    const image = await (await photo()).jpeg().toBuffer();
    for (let index = 0; index < 40; index++) {
      put(`flood${index}.jpg`, image);
      await ask(`flood${index}.jpg`);
    }
    writeFileSync(join(bea.folder.content, "uploads/b.jpg"), image);
    const type = async () =>
      (await bea.ask("/wp-content/uploads/b.jpg", { headers: { accept: onPage } })).headers["content-type"];
    await expect.poll(type, { timeout: 30_000, interval: 200 }).toBe("image/avif");
    // Until then the first of them had its turn.
    for (let index = 0; index < 40; index++) expect(await typeOf(`flood${index}.jpg`)).toBe("image/jpeg");
    await sites.server.db.execute(sql`delete from attempts`);
  });

  test("become AVIF or WebP after the first visit, and the originals stay", async () => {
    const original = await (await photo()).jpeg({ quality: 92 }).toBuffer();
    put("a.jpg", original);
    const first = await ask("a.jpg");
    expect(first.headers).toMatchObject({ "content-type": "image/jpeg", vary: "accept" });
    expect(first.headers["cache-control"]).toBe("public, max-age=300");
    await converted("a.jpg", "image/avif");
    await converted("a.jpg", "image/webp", "image/webp,*/*");
    const avif = await ask("a.jpg");
    expect(avif.headers["cache-control"]).toBe("public, max-age=86400");
    expect(avif.headers["etag"]).not.toBe(first.headers["etag"]);
    expect(Number(avif.headers["content-length"])).toBeLessThan(original.length);
    const head = await ask("a.jpg", onPage, {}, "HEAD");
    expect([head.headers["content-length"], head.text]).toEqual([avif.headers["content-length"], ""]);
    const etag = String(avif.headers["etag"]);
    expect((await ask("a.jpg", onPage, { "if-none-match": etag })).status).toBe(304);
    expect((await ask("a.jpg", onPage, { range: "bytes=4-11" })).text).toBe("ftypavif");
    // Who opens or saves the image itself.
    for (const accept of ["text/html,image/avif,*/*", "*/*"]) {
      const plain = await ask("a.jpg", accept);
      expect(plain.headers).toMatchObject({ "content-type": "image/jpeg", vary: "accept" });
      expect(plain.headers["content-length"]).toBe(String(original.length));
    }
    // Another image of this name is another image.
    put("a.jpg", await (await photo(400, 300)).jpeg({ quality: 92 }).toBuffer());
    expect(await typeOf("a.jpg")).toBe("image/jpeg");
    await converted("a.jpg", "image/avif");
  });

  test("keep their transparency", async () => {
    const { data, info } = await (await photo(300, 300)).ensureAlpha(0.5).raw().toBuffer({ resolveWithObject: true });
    put("a.png", await sharp(data, { raw: info }).png().toBuffer());
    await converted("a.png", "image/avif");
    const own = join(imagesFolder(sites.folder), ana.id);
    const forms = (await readdir(own)).filter((name) => name.endsWith(".avif"));
    const hasAlpha = await Promise.all(forms.map(async (name) => (await sharp(join(own, name)).metadata()).hasAlpha));
    expect(hasAlpha).toContain(true);
  });

  test("that are no images, animated or too large in pixels are sent as they are", async () => {
    put("false.jpg", Buffer.alloc(20_000, "<?php evil(); "));
    const create = { width: 9000, height: 9000, channels: 3, background: "#fff" } as const;
    put("bomb.png", await sharp({ create }).png().toBuffer());
    const still = await (await photo(300, 300)).png().toBuffer();
    // An animated PNG has this chunk after its header.
    put("animated.png", Buffer.concat([still.subarray(0, 33), chunk("acTL", Buffer.alloc(8)), still.subarray(33)]));
    for (const name of ["false.jpg", "bomb.png", "animated.png"]) {
      expect((await ask(name)).headers["cache-control"]).toBe("public, max-age=300");
      const cache = async () => (await ask(name)).headers["cache-control"];
      await expect.poll(cache, { timeout: 30_000, interval: 200 }).toBe("public, max-age=86400");
      expect(await typeOf(name)).toBe(name.endsWith("png") ? "image/png" : "image/jpeg");
    }
    // Neither files of plugins nor of WordPress.
    mkdirSync(join(ana.folder.content, "plugins/x"), { recursive: true });
    writeFileSync(join(ana.folder.content, "plugins/x/a.jpg"), await (await photo()).jpeg().toBuffer());
    expect(
      (await ana.ask("/wp-content/plugins/x/a.jpg", { headers: { accept: onPage } })).headers["vary"],
    ).toBeUndefined();
  });

  test("lose forms that are old, and those of deleted sites", async () => {
    const folder = imagesFolder(sites.folder);
    const gone = join(folder, "00000000-0000-4000-8000-000000000000");
    writeFileSync(join(folder, "not-a-site"), "");
    await mkdir(gone, { recursive: true });
    const own = join(folder, ana.id);
    writeFileSync(join(own, "old.avif"), "x");
    utimesSync(join(own, "old.avif"), 1, 1);
    writeFileSync(join(own, "new.avif"), "x");
    await removeOldForms(sites.server.wordpress);
    expect(await readdir(folder)).toContain("not-a-site");
    expect(await readdir(folder)).not.toContain("00000000-0000-4000-8000-000000000000");
    expect(await readdir(own)).toEqual(expect.arrayContaining(["new.avif"]));
    expect(await readdir(own)).not.toContain("old.avif");
  });
});

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
