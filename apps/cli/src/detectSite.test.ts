import { expect, test } from "vitest";
import { detectSite } from "./detectSite.ts";
import { createSiteFolder } from "./publish/createSiteFolder.ts";

const packageOf = (name: string, scripts: object = { build: "x" }) =>
  JSON.stringify({ devDependencies: { [name]: "1" }, scripts });

test.each([
  ["vite", {}, "Vite", "dist", "npm run build"],
  ["vite", { "public/icon.svg": "" }, "Vite", "dist", "npm run build"],
  ["vitepress", { "docs/index.md": "" }, "VitePress", "docs/.vitepress/dist", "npm run build"],
  ["vitepress", { ".vitepress/dist/index.html": "" }, "VitePress", ".vitepress/dist", "npm run build"],
  ["astro", { "pnpm-lock.yaml": "" }, "Astro", "dist", "pnpm run build"],
  ["next", { "yarn.lock": "" }, "Next.js", "out", "yarn run build"],
  ["@11ty/eleventy", {}, "Eleventy", "_site", "npm run build"],
  ["gatsby", { "public/index.html": "" }, "Gatsby", "public", "npm run build"],
  ["nuxt", {}, "Nuxt", ".output/public", "npx nuxt generate"],
  ["@sveltejs/kit", { "bun.lock": "" }, "SvelteKit", "build", "bun run build"],
  ["@angular/core", { "dist/shop/browser/index.html": "" }, "Angular", "dist/shop/browser", "npm run build"],
  ["@angular/core", { "dist/shop/index.html": "" }, "Angular", "dist/shop", "npm run build"],
  ["@docusaurus/core", {}, "Docusaurus", "build", "npm run build"],
  ["@react-router/dev", {}, "React Router", "build/client", "npm run build"],
] as const)("a package.json with %s and %j is %s in %s by %s", (name, files, generator, folder, build) => {
  const from = createSiteFolder({ "package.json": packageOf(name), ...files });
  expect(detectSite(from)).toEqual({ generator, folder, build });
});

test.each([
  [{ "hugo.toml": "" }, { generator: "Hugo", folder: "public", build: "hugo" }],
  [{ "mkdocs.yml": "" }, { generator: "MkDocs", folder: "site", build: "mkdocs build" }],
  [{ "_config.yml": "" }, { generator: "Jekyll", folder: "_site", build: "bundle exec jekyll build" }],
  [{ "index.html": "" }, { folder: "." }],
  [{ "out/index.html": "" }, { folder: "out" }],
  [{ "package.json": "nonsense", "public/index.html": "" }, { folder: "public" }],
  [{ "package.json": packageOf("left-pad") }, { folder: ".", build: "npm run build" }],
])("%j is %j", (files, expected) => expect(detectSite(createSiteFolder(files))).toEqual(expected));
