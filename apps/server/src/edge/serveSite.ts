import { categoryOf } from "@nido/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { WordPress } from "../wordpress/WordPress.ts";
import type { SiteDirectory, SiteEntry } from "./SiteDirectory.ts";
import { createWordPressServer } from "./serveWordPress.ts";
import { sitePage } from "./sitePage.ts";

interface Options {
  directory: SiteDirectory;
  wordpress: WordPress;
  sitesDomain: string;
  appUrl: URL;
  brand: string;
}

/** Answers for customers' sites, told apart by Host; where there is nothing to show, with a page that says why. */
export function serveSite({ directory, wordpress, sitesDomain, appUrl, brand }: Options) {
  const suffix = `.${sitesDomain}`;
  const serveWordPress = createWordPressServer(wordpress);

  return async (request: FastifyRequest, reply: FastifyReply) => {
    const host = request.host.toLowerCase();
    if (host === appUrl.host || !host.endsWith(suffix)) return;
    const name = host.slice(0, -suffix.length);
    const site = /^[a-z0-9]+$/.test(name) ? await directory.find(name) : undefined;
    if (!site || !isRunning(site)) return sendSitePage(request, reply, site);

    try {
      reply.hijack();
      await serveWordPress(site, { request: request.raw, response: reply.raw, visitor: request.ip });
    } catch (error) {
      request.log.warn({ err: error, site: site.id }, "a site gave no answer");
      if (reply.raw.headersSent) return void reply.raw.destroy();
      const { html } = sitePage({ ...site, status: "failed" }, brand, appUrl);
      reply.raw
        .writeHead(503, { "content-type": "text/html; charset=utf-8", "cache-control": "no-store", "retry-after": "5" })
        .end(html);
    }
  };

  function sendSitePage(request: FastifyRequest, reply: FastifyReply, site: SiteEntry | undefined) {
    if (request.method !== "GET" && request.method !== "HEAD")
      return reply.code(405).header("allow", "GET, HEAD").send();
    const { status, html } = sitePage(site, brand, appUrl);
    if (status === 503) reply.header("retry-after", "60");
    return reply.code(status).header("cache-control", "no-store").type("text/html; charset=utf-8").send(html);
  }
}

function isRunning({ recipe, status, core }: SiteEntry): boolean {
  return categoryOf(recipe) === "wordpress" && status === "active" && core !== null;
}
