import type { FastifyReply, FastifyRequest } from "fastify";
import type { Db } from "../db/connect.ts";
import { findSite } from "../projects/queries.ts";
import { sitePage } from "./sitePage.ts";

interface Options {
  db: Db;
  sitesDomain: string;
  appUrl: URL;
  brand: string;
}

/** Answers for customers' sites, told apart by Host, with the page that their state calls for. */
export function serveSite({ db, sitesDomain, appUrl, brand }: Options) {
  const suffix = `.${sitesDomain}`;
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const host = request.host.toLowerCase();
    if (host === appUrl.host || !host.endsWith(suffix)) return;
    if (request.method !== "GET" && request.method !== "HEAD")
      return reply.code(405).header("allow", "GET, HEAD").send();
    const name = host.slice(0, -suffix.length);
    const site = /^[a-z0-9]+$/.test(name) ? await findSite(db, name) : undefined;
    const { status, html } = sitePage(site, brand, appUrl);
    if (status === 503) reply.header("retry-after", "60");
    return reply.code(status).header("cache-control", "no-store").type("text/html; charset=utf-8").send(html);
  };
}
