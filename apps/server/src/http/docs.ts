import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { escapeHtml } from "../platform/escapeHtml.ts";

export interface DocValues {
  brand: string;
  origin: string;
  sites_domain: string;
}

/** Serves the pages of the documentation as the build rendered them, with this installation's names and addresses. */
export function serveDocs(app: FastifyInstance, folder: string, values: DocValues) {
  if (!existsSync(folder)) return;
  // Kept in memory for the same reason as index.html.
  const pages = new Map<string, string>();
  for (const lang of readdirSync(folder))
    for (const file of readdirSync(join(folder, lang)).filter((name) => name.endsWith(".html")))
      pages.set(
        `${lang}/${file.slice(0, -".html".length)}`,
        fill(readFileSync(join(folder, lang, file), "utf8"), values),
      );

  app.get<{ Params: { lang: string; slug?: string } }>("/docs/:lang/:slug?", (request, reply) => {
    const { lang, slug = "start" } = request.params;
    const page = pages.get(`${lang}/${slug}`);
    if (!page) return reply.callNotFound();
    return reply.type("text/html").header("cache-control", "no-cache").send(page);
  });
}

function fill(html: string, values: DocValues): string {
  return html.replace(/\{\{(brand|origin|sites_domain)\}\}/g, (_, name: keyof DocValues) => escapeHtml(values[name]));
}
