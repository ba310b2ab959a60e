import type { IncomingHttpHeaders } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { WordPress } from "../wordpress/WordPress.ts";
import { isRunning, type SiteDirectory, type SiteEntry } from "./SiteDirectory.ts";
import { createWordPressServer } from "./serveWordPress.ts";
import { sitePage } from "./sitePage.ts";

interface Options {
  directory: SiteDirectory;
  wordpress: WordPress;
  sitesDomain: string;
  appUrl: URL;
  brand: string;
}

/** The edge: answers for customers' sites, told apart by Host; where there is nothing to show, with a page that says why. */
export function createEdge({ directory, wordpress, sitesDomain, appUrl, brand }: Options) {
  const suffix = `.${sitesDomain}`;
  const { serve, findHotPage } = createWordPressServer(wordpress, directory);

  return {
    serve: answer,
    /** For `answerHotPages`. */
    findHotPage: (url: string, headers: IncomingHttpHeaders) => {
      const { host = "" } = headers;
      return host.endsWith(suffix) ? findHotPage(host.slice(0, -suffix.length), url, headers) : undefined;
    },
  };

  async function answer(request: FastifyRequest, reply: FastifyReply) {
    const host = request.host.toLowerCase();
    if (host === appUrl.host || !host.endsWith(suffix)) return;
    const name = host.slice(0, -suffix.length);
    const site = /^[a-z0-9]+$/.test(name) ? await directory.find(name) : undefined;
    if (!site || !isRunning(site)) return sendSitePage(request, reply, site);

    try {
      reply.hijack();
      await serve(site, { request: request.raw, response: reply.raw, visitor: request.ip });
    } catch (error) {
      request.log.warn({ err: error, site: site.id }, "a site gave no answer");
      if (reply.raw.headersSent) return void reply.raw.destroy();
      const { html } = sitePage({ ...site, status: "failed" }, brand, appUrl);
      reply.raw
        .writeHead(503, { "content-type": "text/html; charset=utf-8", "cache-control": "no-store", "retry-after": "5" })
        .end(html);
    }
  }

  function sendSitePage(request: FastifyRequest, reply: FastifyReply, site: SiteEntry | undefined) {
    if (request.method !== "GET" && request.method !== "HEAD")
      return reply.code(405).header("allow", "GET, HEAD").send();
    const { status, html } = sitePage(site, brand, appUrl);
    if (status === 503) reply.header("retry-after", "60");
    return reply.code(status).header("cache-control", "no-store").type("text/html; charset=utf-8").send(html);
  }
}
