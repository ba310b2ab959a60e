import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";
import { categoryOf, mainBranch } from "@nido/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Releases } from "../deploys/Deploys.ts";
import { isRunning, type SiteDirectory, type SiteEntry } from "../domains/SiteDirectory.ts";
import type { WordPress } from "../wordpress/WordPress.ts";
import { sitePage } from "./sitePage.ts";
import { createStaticServer } from "./static/serveStatic.ts";
import { createWordPressServer } from "./wordpress/serveWordPress.ts";

interface Options {
  directory: SiteDirectory;
  wordpress: WordPress;
  releases: Releases;
  sitesDomain: string;
  appUrl: URL;
  brand: string;
  /** what this server answers itself under whatever name */
  anyHosts: string[];
}

/** The edge: answers for customers' sites, told apart by Host; where there is nothing to show, with a page that says why. */
export function createEdge({ directory, wordpress, releases, sitesDomain, appUrl, brand, anyHosts }: Options) {
  const suffix = `.${sitesDomain}`;
  const port = /:\d+$/.exec(sitesDomain)?.[0] ?? "";
  const bareSuffix = suffix.replace(port, "");
  const usualPort = appUrl.protocol === "https:" ? /:443$/ : /:80$/;
  const blogs = createWordPressServer(wordpress);
  const files = createStaticServer(releases);

  return { serve: answer, findHotPage, isServed };

  /** For `answerHotPages`: the parts of an answer that needs nothing but memory. */
  function findHotPage(url: string, headers: IncomingHttpHeaders, address: string | undefined): Buffer[] | undefined {
    const { host = "" } = headers;
    const called = addressOf(host);
    const site = directory.peek(called.address);
    if (!site || redirectOf(site, host)) return undefined;
    const branch = called.branch ?? site.branch ?? mainBranch;
    const shown = shownBy(site, branch);
    if (shown) return files.findHotFile(site, shown, url, headers, address);
    const page = branch === mainBranch ? blogs.findHotPage(site, url, headers) : undefined;
    return page && [page];
  }

  async function answer(request: FastifyRequest, reply: FastifyReply) {
    const host = request.host.toLowerCase().replace(usualPort, "");
    if (host === appUrl.host) return;
    const called = addressOf(host);
    const isOurs = called.branch !== undefined;
    const site = await find(called.address, !isOurs && anyHosts.includes(request.url.split("?", 1)[0] ?? ""));
    // Nobody's name: what else may be there is not the edge's to say.
    if (!site && !isOurs) return;
    const branch = called.branch ?? site?.branch ?? mainBranch;
    const elsewhere = site && branch === mainBranch ? redirectOf(site, host) : undefined;
    if (elsewhere)
      return reply
        .header("cache-control", "public, max-age=0, must-revalidate")
        .redirect(elsewhere.origin + request.url, elsewhere.status);
    const shown = site && shownBy(site, branch);
    const isBlog = site && branch === mainBranch && isRunning(site);
    if (!isBlog && !shown) return sendSitePage(request, reply, branch === mainBranch ? site : undefined);

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

  /** The name of a project and a branch, or the customer's own host, without the port. */
  function addressOf(host: string): { address: string; branch?: string } {
    return host.endsWith(suffix) ? splitName(host.slice(0, -suffix.length)) : { address: host.replace(/:\d+$/, "") };
  }

  /** Whether there is something at this name, the dashboard included. */
  async function isServed(host: string): Promise<boolean> {
    if (host === appUrl.hostname) return true;
    const called = addressOf(host + (host.endsWith(bareSuffix) ? port : ""));
    const site = await find(called.address, false);
    return (
      site !== undefined &&
      ((called.branch ?? mainBranch) === mainBranch || shownBy(site, called.branch ?? "") !== undefined)
    );
  }

  async function find(address: string, isElseOurs: boolean): Promise<SiteEntry | undefined> {
    const isName = /^[a-z0-9]+$/.test(address) || (/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(address) && !isIP(address));
    if (!isName) return undefined;
    return directory.find(address).catch((error) => {
      if (!isElseOurs) throw error;
      return undefined;
    });
  }

  /** Where visitors of this host are sent. A WordPress has one address; which one may change, so nobody should remember it. */
  function redirectOf(site: SiteEntry, host: string): { status: number; origin: string } | undefined {
    if (site.redirectsTo) return { status: 308, origin: originOf(site.redirectsTo + port) };
    if (!isRunning(site)) return undefined;
    const own = site.primary ? site.primary + port : site.name + suffix;
    return own === host ? undefined : { status: 307, origin: originOf(own) };
  }

  function originOf(host: string): string {
    return `${appUrl.protocol}//${host}`;
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

/** `{project}`, or `{branch}--{project}`. What has a dot is somebody's own host, and does not belong here. */
function splitName(label: string): { address: string; branch: string } {
  if (label.includes(".")) return { address: "", branch: mainBranch };
  const end = label.indexOf("--");
  return end < 0
    ? { address: label, branch: mainBranch }
    : { address: label.slice(end + 2), branch: label.slice(0, end) };
}
