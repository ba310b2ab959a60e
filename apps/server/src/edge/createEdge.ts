import type { IncomingHttpHeaders } from "node:http";
import { categoryOf, mainBranch } from "@nido/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Releases } from "../releases/Releases.ts";
import type { WordPress } from "../wordpress/WordPress.ts";
import { isRunning, type SiteDirectory, type SiteEntry } from "./SiteDirectory.ts";
import { createStaticServer } from "./serveStatic.ts";
import { createWordPressServer } from "./serveWordPress.ts";
import { sitePage } from "./sitePage.ts";

interface Options {
  directory: SiteDirectory;
  wordpress: WordPress;
  releases: Releases;
  sitesDomain: string;
  appUrl: URL;
  brand: string;
}

/** The edge: answers for customers' sites, told apart by Host; where there is nothing to show, with a page that says why. */
export function createEdge({ directory, wordpress, releases, sitesDomain, appUrl, brand }: Options) {
  const suffix = `.${sitesDomain}`;
  const blogs = createWordPressServer(wordpress);
  const files = createStaticServer(releases);

  return { serve: answer, findHotPage };

  /** For `answerHotPages`: the parts of an answer that needs nothing but memory. */
  function findHotPage(url: string, headers: IncomingHttpHeaders, address: string | undefined): Buffer[] | undefined {
    const { host = "" } = headers;
    if (!host.endsWith(suffix)) return undefined;
    const called = splitName(host.slice(0, -suffix.length));
    const site = directory.peek(called.name);
    if (!site) return undefined;
    const shown = shownBy(site, called.branch);
    if (shown) return files.findHotFile(site, shown, url, headers, address);
    const page = called.branch === mainBranch ? blogs.findHotPage(site, url, headers) : undefined;
    return page && [page];
  }

  async function answer(request: FastifyRequest, reply: FastifyReply) {
    const host = request.host.toLowerCase();
    if (host === appUrl.host || !host.endsWith(suffix)) return;
    const called = splitName(host.slice(0, -suffix.length));
    const site = /^[a-z0-9]+$/.test(called.name) ? await directory.find(called.name) : undefined;
    const shown = site && shownBy(site, called.branch);
    const isBlog = site && called.branch === mainBranch && isRunning(site);
    if (!isBlog && !shown) return sendSitePage(request, reply, called.branch === mainBranch ? site : undefined);

    try {
      reply.hijack();
      if (shown) await files.serve(site, shown, request.raw, reply.raw);
      else await blogs.serve(site, { request: request.raw, response: reply.raw, visitor: request.ip });
    } catch (error) {
      request.log.warn({ err: error, site: site.id }, "a site gave no answer");
      if (reply.raw.headersSent) return void reply.raw.destroy();
      const { html } = sitePage({ ...site, status: "failed" }, brand, appUrl);
      reply.raw
        .writeHead(503, { "content-type": "text/html; charset=utf-8", "cache-control": "no-store", "retry-after": "5" })
        .end(html);
    }
  }

  /** What a branch of a static site shows, if anything was published there. */
  function shownBy({ recipe, status, branches }: SiteEntry, branch: string) {
    if (categoryOf(recipe) !== "static" || status !== "active") return undefined;
    return Object.hasOwn(branches, branch) ? branches[branch] : undefined;
  }

  function sendSitePage(request: FastifyRequest, reply: FastifyReply, site: SiteEntry | undefined) {
    if (request.method !== "GET" && request.method !== "HEAD")
      return reply.code(405).header("allow", "GET, HEAD").send();
    const { status, html } = sitePage(site, brand, appUrl);
    if (status === 503) reply.header("retry-after", "60");
    return reply.code(status).header("cache-control", "no-store").type("text/html; charset=utf-8").send(html);
  }
}

/** `{project}`, or `{branch}--{project}`. */
function splitName(label: string): { name: string; branch: string } {
  const end = label.indexOf("--");
  return end < 0 ? { name: label, branch: mainBranch } : { name: label.slice(end + 2), branch: label.slice(0, end) };
}
