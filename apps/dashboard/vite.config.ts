import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin, type Rollup } from "vite";
import { parseDoc } from "./parseDoc.ts";

const firstScreenMaxBytes = 130_000;
const server = process.env["NIDO_SERVER"] ?? "http://localhost:3000";
const proxied = { target: server, changeOrigin: true, headers: { origin: server } };

/** The libraries and parts that the first screen needs. `Trans` is for a few screens only. */
const shared = [
  /\/node_modules\/(react|react-dom|react-router|react-redux|redux|@reduxjs\/toolkit|i18next|scheduler)\//,
  /\/node_modules\/react-i18next\/(?!.*Trans)/,
  /\/src\/(state|api)\//,
  /\/src\/i18n\/(language|format|money)\.ts$/,
  /\/src\/ui\/(Avatar|Badge|Button|Card|Notice|Page|Spinner|recipeLook|theme)\.tsx?$/,
];

export default defineConfig({
  plugins: [react(), tailwindcss(), documentation(), fontPreload(), compressed()],
  build: {
    target: "es2023",
    chunkSizeWarningLimit: 500,
    // What nearly every screen shares is one file: many small ones compress worse and take more requests.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: "base", test: (id) => shared.some((part) => part.test(id)) }] } },
    },
  },
  server: {
    proxy: {
      "/api": proxied,
      "/auth": proxied,
      "/billing": proxied,
      "/logout": proxied,
      "/redux": { ...proxied, ws: true },
    },
  },
});

/** Makes a module of each page of the documentation: `content/es/rules.md`. */
function documentation(): Plugin {
  return {
    name: "documentation",
    transform: {
      filter: { id: /\/docs\/content\/\w+\/\w+\.md$/ },
      handler: (markdown, id) => {
        const page = parseDoc(basename(id, ".md"), basename(dirname(id)), markdown);
        return { code: `export const page = ${JSON.stringify(page)};`, map: null };
      },
    },
  };
}

/** Preloads the font: text painted with the fallback font would shift when the font arrives. */
function fontPreload(): Plugin {
  return {
    name: "font-preload",
    transformIndexHtml: {
      order: "post",
      handler: (_html, { bundle = {} }) => {
        const font = Object.keys(bundle).find((file) => /figtree-latin-wght-normal.*\.woff2$/.test(file));
        const attrs = { rel: "preload", as: "font", type: "font/woff2", href: `/${font}`, crossorigin: true };
        return font ? [{ tag: "link", attrs, injectTo: "head" }] : [];
      },
    },
  };
}

/** The JavaScript files that a signed-in customer's browser loads before it shows the projects. */
function firstScreen(bundle: Rollup.OutputBundle): string[] {
  const chunks = Object.values(bundle).filter((output) => output.type === "chunk");
  const found = new Set<string>();
  const follow = (file: string) => {
    if (found.has(file)) return;
    found.add(file);
    for (const imported of chunks.find(({ fileName }) => fileName === file)?.imports ?? []) follow(imported);
  };
  for (const { fileName, isEntry, facadeModuleId } of chunks) {
    if (isEntry || /(ProjectsScreen\.tsx|i18n\/es\.ts)$/.test(facadeModuleId ?? "")) follow(fileName);
  }
  return [...found];
}

/** Compresses each text file with brotli and gzip at build time, and checks the size of the first screen. */
function compressed(): Plugin {
  return {
    name: "compressed",
    apply: (_config, { command, isSsrBuild }) => command === "build" && !isSsrBuild,
    writeBundle({ dir = "dist" }, bundle) {
      for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
        if (!/\.(js|css|html|svg)$/.test(entry.name)) continue;
        const file = join(entry.parentPath, entry.name);
        const content = readFileSync(file);
        writeFileSync(`${file}.br`, brotliCompressSync(content));
        writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
      }
      const files = firstScreen(bundle);
      const size = files.reduce((sum, file) => sum + statSync(join(dir, `${file}.br`)).size, 0);
      console.log(
        `First screen: ${(size / 1000).toFixed(1)} kB of JavaScript (brotli), ${firstScreenMaxBytes / 1000} at most`,
      );
      if (size > firstScreenMaxBytes)
        throw new Error(
          `The first screen's JavaScript has ${size} bytes (brotli), the limit is ${firstScreenMaxBytes}`,
        );
    },
  };
}
