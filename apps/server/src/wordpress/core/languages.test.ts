import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zipSync } from "fflate";
import { expect, onTestFinished, test } from "vitest";
import { CoreStore, versionOf } from "./CoreStore.ts";
import { configuredCore } from "./configuredCore.ts";

const core = process.env["WORDPRESS_CORE"] ?? "";

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "nido-languages-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("language packs of the operator are added to a WordPress, also to one that is in use, and the rest is told", async () => {
  const [folder, wordpress] = [newFolder(), newFolder()];
  mkdirSync(join(wordpress, "wp-includes"));
  writeFileSync(join(wordpress, "wp-includes/version.php"), "<?php $wp_version = '6.8.1';");
  mkdirSync(join(wordpress, "wp-content/languages"), { recursive: true });
  writeFileSync(join(wordpress, "wp-content/languages/es_ES.mo"), "partial");
  const warnings: string[] = [];
  const log = { warn: (text: unknown) => void warnings.push(String(text)) };
  const sources = { configured: configuredCore(wordpress) };
  const partial = await new CoreStore(folder, sources, log).current();
  expect(warnings).toEqual([expect.stringContaining("WORDPRESS_LANGUAGES")]);

  const pack = join(folder, "pack.zip");
  const script = `es_ES-${"0".repeat(32)}.json`;
  writeFileSync(pack, zipSync({ "es_ES.mo": Buffer.from("full"), [script]: Buffer.from("{}") }));
  const store = new CoreStore(folder, sources, log, pack);
  expect(await store.current()).toEqual(partial);
  await store.current();
  const read = (name: string) => readFileSync(join(partial.folder, "wp-content/languages", name), "utf8");
  expect([read("es_ES.mo"), read(script), warnings.length]).toEqual(["full", "{}", 1]);
});

/** The original texts in a compiled catalogue (.mo or .l10n.php), with their contexts. */
function readCatalogue(file: string): string[] {
  const bytes = readFileSync(file);
  if (file.endsWith(".php"))
    return [...bytes.toString().matchAll(/'((?:[^'\\]|\\.)+)'=>/g)].map(([, text = ""]) => text.replaceAll("\\'", "'"));
  const read = (at: number) => (bytes.readUInt32LE(0) === 0x950412de ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  return Array.from({ length: read(8) }, (_, index) => {
    const at = read(12) + 8 * index;
    // A plural form follows the singular after a zero byte.
    return bytes.toString("utf8", read(at + 4), read(at + 4) + read(at)).split("\0", 1)[0] ?? "";
  });
}

test("how much of this machine's WordPress is Spanish is known", async () => {
  const texts = new Set<string>();
  for (const file of globSync("{wp-includes,wp-admin}/**/*.php", { cwd: core })) {
    const source = readFileSync(join(core, file), "utf8");
    for (const [, text = ""] of source.matchAll(/\b(?:esc_(?:html|attr))?_[_e]\( '((?:[^'\\]|\\.)+)' \)/g))
      texts.add(text.replaceAll("\\'", "'"));
  }
  const known = new Set(
    globSync("wp-content/languages/*es_ES.{mo,l10n.php}", { cwd: core }).flatMap((file) =>
      readCatalogue(join(core, file)),
    ),
  );
  const share = [...texts].filter((text) => known.has(text)).length / texts.size;
  const scripts = globSync("wp-content/languages/es_ES-*.json", { cwd: core }).length;
  console.log(
    `Of the texts of WordPress ${await versionOf(core)}, ${Math.round(100 * share)} % are Spanish, and ${scripts} of its scripts.`,
  );
  expect(texts.size).toBeGreaterThan(4000);
  // Debian's packages have a part of it, and nothing for scripts.
  expect(share).toBeGreaterThan(scripts > 0 ? 0.95 : 0.25);
});
