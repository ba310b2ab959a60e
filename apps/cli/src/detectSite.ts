import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

/** A site generator and what it needs. */
interface Generator {
  name: string;
  /** a package in package.json, or a file that only this generator has, or one with such a line */
  packages?: string[];
  files?: string[];
  line?: [file: string, pattern: RegExp];
  /** where it writes the site; the first that exists, otherwise the first */
  folders: string[];
  /** instead of them, what its configuration says plainly */
  configured?: (from: string) => string[];
  /** default: the script `build` of package.json */
  build?: string;
}

/** How a folder's site is made. */
export interface DetectedSite {
  /** undefined: plain files */
  generator?: string;
  /** the folder that is published, relative */
  folder: string;
  /** the command that makes it */
  build?: string;
}

/** The first that is found counts: what builds on another generator comes before it. */
const generators: Generator[] = [
  { name: "VitePress", packages: ["vitepress"], folders: ["docs/.vitepress/dist", ".vitepress/dist"] },
  { name: "VuePress", packages: ["vuepress"], folders: ["docs/.vuepress/dist", "src/.vuepress/dist"] },
  { name: "Docusaurus", packages: ["@docusaurus/core"], folders: ["build"] },
  { name: "Rspress", packages: ["rspress", "@rspress/core"], folders: ["doc_build"] },
  { name: "Slidev", packages: ["@slidev/cli"], folders: ["dist"] },
  { name: "Astro", packages: ["astro"], folders: ["dist"], configured: (from) => outDirOf(from, "astro", "") },
  { name: "SvelteKit", packages: ["@sveltejs/kit"], folders: ["build"] },
  { name: "Nuxt", packages: ["nuxt"], folders: [".output/public", "dist"], build: "npx nuxt generate" },
  { name: "Next.js", packages: ["next"], folders: ["out"] },
  { name: "Gatsby", packages: ["gatsby"], folders: ["public"] },
  { name: "React Router", packages: ["@react-router/dev"], folders: ["build/client"] },
  { name: "Remix", packages: ["@remix-run/dev"], folders: ["build/client"] },
  { name: "Qwik", packages: ["@builder.io/qwik"], folders: ["dist"] },
  { name: "SolidStart", packages: ["@solidjs/start"], folders: [".output/public"] },
  {
    name: "Angular",
    packages: ["@angular/core"],
    folders: ["dist/*/browser", "dist/*", "dist"],
    configured: outputPathsOf,
  },
  { name: "Create React App", packages: ["react-scripts"], folders: ["build"] },
  { name: "Vue CLI", packages: ["@vue/cli-service"], folders: ["dist"] },
  { name: "Ember", packages: ["ember-cli"], folders: ["dist"] },
  { name: "Eleventy", packages: ["@11ty/eleventy"], folders: ["_site"] },
  { name: "Hexo", packages: ["hexo"], folders: ["public"] },
  { name: "Parcel", packages: ["parcel"], folders: ["dist"] },
  {
    name: "Vite",
    packages: ["vite", "rolldown-vite"],
    folders: ["dist"],
    configured: (from) => outDirOf(from, "vite", "build"),
  },
  { name: "webpack", packages: ["webpack"], folders: ["dist", "build"] },
  {
    name: "Hugo",
    files: ["hugo.toml", "hugo.yaml", "hugo.json"],
    line: ["config.toml", /^\s*baseurl\s*=/im],
    folders: ["public"],
    build: "hugo",
  },
  {
    name: "Zola",
    files: ["zola.toml"],
    line: ["config.toml", /^\s*base_url\s*=/m],
    folders: ["public"],
    build: "zola build",
  },
  { name: "mdBook", files: ["book.toml"], folders: ["book"], build: "mdbook build" },
  { name: "MkDocs", files: ["mkdocs.yml", "mkdocs.yaml"], folders: ["site"], build: "mkdocs build" },
  { name: "Jekyll", files: ["_config.yml", "_config.yaml"], folders: ["_site"], build: "bundle exec jekyll build" },
  {
    name: "Sphinx",
    files: ["docs/conf.py"],
    folders: ["docs/_build/html"],
    build: "sphinx-build docs docs/_build/html",
  },
];

/** The usual output folders, for what is made in another way. A folder `public` is source of many generators. */
const outputFolders = ["dist", "build", "out", "_site", "public"];

export function detectSite(from: string): DetectedSite {
  const { packages, scripts } = readPackage(from);
  const generator = generators.find(
    ({ packages: wanted = [], files = [], line }) =>
      wanted.some((name) => packages.has(name)) ||
      files.some((name) => existsSync(join(from, name))) ||
      line?.[1].test(readText(join(from, line[0]))),
  );
  const ownBuild = scripts.has("build") ? `${packageManager(from)} run build` : undefined;
  if (!generator) {
    const folder = outputFolders.find((name) => existsSync(join(from, name))) ?? ".";
    return { folder, ...(ownBuild && { build: ownBuild }) };
  }
  const { name, build = ownBuild } = generator;
  const configured = (generator.configured?.(from) ?? [])
    .map((folder) => posix.normalize(folder).replace(/(.)\/$/, "$1"))
    .filter((folder) => !/^(\.\.|\/)/.test(folder));
  const folders = configured.length > 0 ? configured : generator.folders;
  return { generator: name, folder: findFolder(from, folders), ...(build && { build }) };
}

/** The `outDir` in `vite.config.js` or its like, if it is a plain text. One with another root is not understood. */
function outDirOf(from: string, tool: string, section: string): string[] {
  const files = ["js", "mjs", "cjs", "ts", "mts", "cts"].map((ending) => join(from, `${tool}.config.${ending}`));
  const text = readText(files.find(existsSync)).replace(/^\s*\/\/.*$/gm, "");
  if (/\broot\s*[:,]/.test(text)) return [];
  const place = section === "" ? "" : `\\b${section}\\s*:\\s*\\{[^{}]*`;
  const [, folder] = new RegExp(`${place}\\boutDir\\s*:\\s*["'\`]([^"'\`$]+)["'\`]\\s*[,}]`).exec(text) ?? [];
  return folder === undefined ? [] : [folder];
}

interface AngularTargets {
  build: { builder: string; options: { outputPath?: string | { base: string; browser?: string } } };
}

/** The `outputPath` in `angular.json`, if it has one project. Its newer builders write the site to `browser` in there. */
function outputPathsOf(from: string): string[] {
  try {
    const { projects } = JSON.parse(readText(join(from, "angular.json")));
    const [project, ...others] = Object.values<Record<"architect" | "targets", AngularTargets>>(projects);
    const { builder, options } = (project?.architect ?? project?.targets)?.build ?? {};
    const path = options?.outputPath;
    if (path === undefined || others.length > 0) return [];
    if (typeof path !== "string") return [posix.join(path.base, path.browser ?? "browser")];
    return builder?.endsWith(":browser") ? [path] : [posix.join(path, "browser"), path];
  } catch {
    return [];
  }
}

function readText(file: string | undefined): string {
  return file && existsSync(file) ? readFileSync(file, "utf8") : "";
}

/** The first that exists. A star stands for the only folder at its place. */
function findFolder(from: string, folders: string[]): string {
  for (const folder of folders) {
    const [parent = "", rest] = folder.split("/*", 2) as [string, string?];
    if (rest === undefined) {
      if (existsSync(join(from, folder))) return folder;
      continue;
    }
    const [only, ...others] = existsSync(join(from, parent)) ? subfolders(join(from, parent)) : [];
    if (only && others.length === 0 && existsSync(join(from, parent, only + rest))) return `${parent}/${only}${rest}`;
  }
  return folders.find((folder) => !folder.includes("*")) ?? ".";
}

function subfolders(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

function readPackage(from: string): { packages: Set<string>; scripts: Set<string> } {
  try {
    const { dependencies, devDependencies, scripts } = Object(
      JSON.parse(readFileSync(join(from, "package.json"), "utf8")),
    );
    const packages = new Set([dependencies, devDependencies].flatMap((each) => Object.keys(Object(each))));
    return { packages, scripts: new Set(Object.keys(Object(scripts))) };
  } catch {
    return { packages: new Set(), scripts: new Set() };
  }
}

/** By its lock file. */
function packageManager(from: string): string {
  const has = (name: string) => existsSync(join(from, name));
  if (has("pnpm-lock.yaml")) return "pnpm";
  if (has("yarn.lock")) return "yarn";
  return has("bun.lock") || has("bun.lockb") ? "bun" : "npm";
}
