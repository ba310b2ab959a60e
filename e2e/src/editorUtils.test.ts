import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { siteFolder } from "@nido/server/wordpress/siteFolder";
import { freePort } from "@nido/test-kit/freePort";
import { startNative, whyNotNative } from "@nido/test-kit/native";
import { openSeed } from "@nido/test-kit/seed";
import { expect, long, Nido, test } from "./nido.ts";

const run = promisify(execFile);

/** They bring a browser's measuring tools with them, so they are installed only here. */
const packages = { "@wordpress/e2e-test-utils-playwright": "2.0.0", "@playwright/test": "1.65.0" };

const config = `
const args = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"];
module.exports = {
  testMatch: "editor.spec.js",
  timeout: 600_000,
  expect: { timeout: 120_000 },
  use: {
    baseURL: process.env.WP_BASE_URL,
    storageState: process.env.STORAGE_STATE_PATH,
    launchOptions: { executablePath: "/usr/bin/chromium", args },
  },
  globalSetup: "./signIn.js",
};`;

const signIn = `
const { RequestUtils } = require("@wordpress/e2e-test-utils-playwright");
module.exports = async () => {
  const utils = await RequestUtils.setup({ storageStatePath: process.env.STORAGE_STATE_PATH });
  await utils.setupRest();
};`;

const spec = `
const { test, expect } = require("@wordpress/e2e-test-utils-playwright");
test("a post with blocks is written, published and read", async ({ admin, editor, page, requestUtils }) => {
  await requestUtils.deleteAllPosts();
  await admin.createNewPost({ title: "Written with utilities" });
  await editor.insertBlock({ name: "core/heading", attributes: { content: "A heading" } });
  await editor.insertBlock({ name: "core/paragraph", attributes: { content: "Ñandú & <strong>bold</strong>" } });
  expect(await editor.getEditedPostContent()).toContain("Ñandú &amp; <strong>bold</strong>");
  const id = await editor.publishPost();
  await page.goto("/?p=" + id);
  await expect(page.getByText("Ñandú & bold")).toBeVisible();
});
test("content of others, comments, pages and settings are made by REST", async ({ requestUtils, page }) => {
  const post = await requestUtils.createPost({ title: "By REST", content: "<p>Hello</p>", status: "publish" });
  await requestUtils.createComment({ post: post.id, content: "Well said" });
  await requestUtils.createPage({ title: "A page", status: "publish" });
  await requestUtils.createUser({ username: "eva", email: "eva@example.com", password: "Secret1234!", roles: ["editor"] });
  await requestUtils.updateSiteSettings({ title: "Renamed" });
  await page.goto("/?p=" + post.id);
  await expect(page).toHaveTitle(/By REST.*Renamed/);
  await expect(page.getByText("Well said")).toBeVisible();
});`;

/** Node does not know on every system that names below localhost are this machine. */
const resolve = `
const dns = require("node:dns");
const known = (host) => (host.endsWith(".localhost") ? "localhost" : host);
const { lookup } = dns;
dns.lookup = (host, ...rest) => lookup(known(host), ...rest);
const { lookup: lookupLater } = dns.promises;
dns.promises.lookup = (host, ...rest) => lookupLater(known(host), ...rest);`;

/** Gives the owner a password that the utilities can type, and the language that they expect. */
const prepare = `<?php
require $_SERVER['DOCUMENT_ROOT'] . '/wp-load.php';
$user = get_users( array( 'number' => 1 ) )[0];
wp_set_password( 'Editor1234!', $user->ID );
update_user_meta( $user->ID, 'locale', 'en_US' );
echo $user->user_login;`;

const native = whyNotNative();

for (const runtime of ["embedded", "native"])
  test(`WordPress's own utilities for tests of the editor work on a site of the ${runtime} runtime`, long, async () => {
    test.skip(runtime === "native" && native !== undefined, `the native runtime cannot run here: ${native}`);
    const undos: (() => unknown)[] = [];
    try {
      const work = mkdtempSync(join(tmpdir(), "nido-editor-"));
      chmodSync(work, 0o711);
      undos.unshift(() => rmSync(work, { recursive: true, force: true }));
      const settings = runtime === "native" ? await startNative((undo) => undos.unshift(undo)) : undefined;
      const nido = new Nido(await freePort(), await freePort(), settings?.folder ?? work, settings?.env);
      await nido.start();
      undos.unshift(() => nido.stop());
      const seed = await openSeed(nido.databaseUrl, "demo@nido.example");
      await seed.makeWordPress("editorsite");
      await seed.close();
      const address = `http://editorsite.localhost:${new URL(nido.origin).port}`;
      const [id = ""] = readdirSync(join(nido.dataDir, "sites"));
      const program = join(siteFolder(nido.dataDir, id).content, "plugins/prepare.php");
      writeFileSync(program, prepare);
      const { stdout: user } = await run("curl", [
        ...["-sS", "--fail", "--retry", "10", "--retry-all-errors"],
        `${address}/wp-content/plugins/prepare.php`,
      ]);
      expect(user).toMatch(/^\w+$/);
      rmSync(program);

      const files = {
        "package.json": JSON.stringify({ dependencies: packages }),
        "playwright.config.js": config,
        "signIn.js": signIn,
        "editor.spec.js": spec,
        "resolve.js": resolve,
      };
      for (const [name, text] of Object.entries(files)) writeFileSync(join(work, name), text);
      const { PATH = "" } = process.env;
      const env = {
        ...{ PATH, HOME: work, STORAGE_STATE_PATH: join(work, "state.json") },
        NODE_OPTIONS: `--require ${join(work, "resolve.js")}`,
        ...{ WP_BASE_URL: address, WP_USERNAME: user, WP_PASSWORD: "Editor1234!" },
      };
      await run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: work });
      const { stdout } = await run(join(work, "node_modules/.bin/playwright"), ["test", "--reporter=line"], {
        cwd: work,
        env,
      }).catch((error) => ({ stdout: `${error.stdout}${error.stderr}` }));
      expect(stdout).toContain("2 passed");
    } finally {
      for (const undo of undos) await undo();
    }
  });
