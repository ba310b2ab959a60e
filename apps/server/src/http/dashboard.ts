import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "../platform/AppError.ts";
import { type DocValues, serveDocs } from "./docs.ts";

const dashboardFolder = resolve(import.meta.dirname, "../../../dashboard/dist");

export function readIndexHtml(): string {
  const file = join(dashboardFolder, "index.html");
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

/** Serves the built dashboard: its files, and index.html for every path that a person may open. */
export async function serveDashboard(app: FastifyInstance, values: DocValues) {
  if (!existsSync(dashboardFolder)) return;
  // Kept in memory: an update replaces the file while this process still runs, and the new file needs other headers.
  const index = readIndexHtml();
  await app.register(fastifyStatic, {
    root: dashboardFolder,
    preCompressed: true,
    index: false,
    globIgnore: ["docs/**"],
    wildcard: false,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const isFingerprinted = path.includes(`${dashboardFolder}/assets/`);
      reply.header("cache-control", isFingerprinted ? "public, max-age=31536000, immutable" : "no-cache");
    },
  });

  serveDocs(app, join(dashboardFolder, "docs"), values);
  app.setNotFoundHandler(async (request, reply) => {
    if (!isPage(request)) throw new AppError("error_not_found");
    return reply.type("text/html").header("cache-control", "no-cache").send(index);
  });
}

function isPage({ method, url, headers }: FastifyRequest): boolean {
  const isRead = method === "GET" || method === "HEAD";
  return (
    isRead &&
    !/^\/(api|auth|billing|redux|assets)(\/|$|\?)/.test(url) &&
    (headers.accept ?? "*/*").match(/text\/html|\*\/\*/) !== null
  );
}
