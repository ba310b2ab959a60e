import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const server = process.env["NIDO_SERVER"] ?? "http://localhost:3000";
const proxied = { target: server, changeOrigin: true, headers: { origin: server } };

export default defineConfig({
  plugins: [react(), tailwindcss(), compressed()],
  build: { target: "es2023", chunkSizeWarningLimit: 400 },
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

/** Writes each text file's brotli and gzip form beside it, so that the server compresses nothing. */
function compressed(): Plugin {
  return {
    name: "compressed",
    apply: "build",
    writeBundle({ dir = "dist" }) {
      for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
        if (!/\.(js|css|html|svg)$/.test(entry.name)) continue;
        const file = join(entry.parentPath, entry.name);
        const content = readFileSync(file);
        writeFileSync(`${file}.br`, brotliCompressSync(content));
        writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
      }
    },
  };
}
