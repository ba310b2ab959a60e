import { expect, test } from "vitest";
import { detectSite } from "./detectSite.ts";
import { createSiteFolder } from "./publish/createSiteFolder.ts";

const packageOf = (name: string, scripts: object = { build: "x" }) =>
  JSON.stringify({ devDependencies: { [name]: "1" }, scripts });

const angularOf = (outputPath: string | object, builder = "@angular/build:application") =>
  JSON.stringify({ projects: { shop: { architect: { build: { builder, options: { outputPath } } } } } });

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
  [
    "vite",
    { "vite.config.ts": 'export default { build: { outDir: "./site/" } }', "dist/x": "" },
    "Vite",
    "site",
    "npm run build",
  ],
  [
    "vite",
    { "vite.config.js": '// build: { outDir: "a" }\nx({ dts: { outDir: "b" } })' },
    "Vite",
    "dist",
    "npm run build",
  ],
  ["vite", { "vite.config.js": 'x({ root: "src", build: { outDir: "../a" } })' }, "Vite", "dist", "npm run build"],
  ["vite", { "vite.config.js": 'x({ build: { outDir: "../../etc" } })' }, "Vite", "dist", "npm run build"],
  ["vite", { "vite.config.js": 'x({ build: { outDir: "a" + mode } })' }, "Vite", "dist", "npm run build"],
  ["astro", { "astro.config.mjs": "defineConfig({\n  outDir: './build',\n})" }, "Astro", "build", "npm run build"],
  ["@angular/core", { "angular.json": angularOf("out") }, "Angular", "out/browser", "npm run build"],
  ["@angular/core", { "angular.json": angularOf({ base: "out", browser: "" }) }, "Angular", "out", "npm run build"],
  ["@angular/core", { "angular.json": angularOf("out", "x:browser") }, "Angular", "out", "npm run build"],
  ["@angular/core", { "angular.json": "{}" }, "Angular", "dist", "npm run build"],
] as const)("a package.json with %s and %j is %s in %s by %s", (name, files, generator, folder, build) => {
  const from = createSiteFolder({ "package.json": packageOf(name), ...files });
  expect(detectSite(from)).toEqual({ generator, folder, build });
});

test.each([
  [{ "hugo.toml": "" }, { generator: "Hugo", folder: "public", build: "hugo" }],
  [{ "config.toml": 'baseURL = "/"' }, { generator: "Hugo", folder: "public", build: "hugo" }],
  [{ "config.toml": 'base_url = "/"' }, { generator: "Zola", folder: "public", build: "zola build" }],
  [{ "config.toml": 'name = "/"' }, { folder: "." }],
  [{ "book.toml": "" }, { generator: "mdBook", folder: "book", build: "mdbook build" }],
  [{ "mkdocs.yml": "" }, { generator: "MkDocs", folder: "site", build: "mkdocs build" }],
  [{ "_config.yml": "" }, { generator: "Jekyll", folder: "_site", build: "bundle exec jekyll build" }],
  [{ "index.html": "" }, { folder: "." }],
  [{ "out/index.html": "" }, { folder: "out" }],
  [{ "package.json": "nonsense", "public/index.html": "" }, { folder: "public" }],
  [{ "package.json": packageOf("left-pad") }, { folder: ".", build: "npm run build" }],
])("%j is %j", (files, expected) => expect(detectSite(createSiteFolder(files))).toEqual(expected));
