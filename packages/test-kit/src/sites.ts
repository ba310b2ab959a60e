import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { type IncomingHttpHeaders, request as send } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import type { Recipe } from "@nido/contract";
import { provisionWordPress } from "@nido/server/wordpress/lifecycle/provisionWordPress";
import { siteFolder } from "@nido/server/wordpress/siteFolder";
import { createCustomer, listen, startApp } from "./app.ts";
import type { WhenDone } from "./database.ts";
import { orderWordPress } from "./seed.ts";

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  text: string;
}
export interface Question {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** fields of a form */
  form?: Record<string, string>;
}

/** Sends a request with a Host header of its own, as visitors of a site do. */
export function ask(address: string, host: string, path: string, question: Question = {}): Promise<Answer> {
  const { form, method = question.body || form ? "POST" : "GET" } = question;
  const body = form ? new URLSearchParams(form).toString() : question.body;
  const type = form && { "content-type": "application/x-www-form-urlencoded" };
  const [hostname, port] = address.split(":");
  return new Promise((resolve, reject) => {
    const headers = { host, ...type, ...(body && { "content-length": Buffer.byteLength(body) }), ...question.headers };
    const request = send({ hostname, port, path, method, headers, agent: false }, async (response) => {
      const bytes = await buffer(response).catch(reject);
      if (!bytes) return;
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: bytes, text: bytes.toString() });
    });
    request.on("error", reject);
    request.end(body);
  });
}

/** The product with a folder for WordPress sites, on the runtime that `env` sets. */
export async function openSites(whenDone: WhenDone, env: Record<string, string> = {}) {
  const folder = env["DATA_DIR"] ?? mkdtempSync(join(tmpdir(), "nido-sites-"));
  if (!env["DATA_DIR"]) whenDone(async () => rmSync(folder, { recursive: true, force: true }));
  const server = await startApp({ env: { ...env, DATA_DIR: folder }, whenDone });
  const address = await listen(server);
  const { wordpress, db } = server;

  return {
    server,
    /** host and port of the edge */
    address,
    folder,
    /** Creates a customer with a WordPress site that is ready. */
    open: async (name: string, recipe?: Recipe) => {
      const userId = await createCustomer(server, `${name}@example.com`);
      const order = await orderWordPress(db, userId, name, recipe);
      await provisionWordPress(wordpress, order, 1);
      const own = siteFolder(folder, order.projectId);
      return {
        id: order.projectId,
        userId,
        folder: own,
        ask: (path: string, question?: Question) => ask(address, `${name}.localhost:3000`, path, question),
        /** Requests a page by another of the site's hosts. */
        askAt: (host: string, path: string, question?: Question) => ask(address, host, path, question),
        /** Adds a PHP file as a plugin, of the site or of its staging copy, and returns its path. */
        addProgram: async (file: string, code: string, id = order.projectId) => {
          const path = join(siteFolder(folder, id).content, "plugins", file);
          await mkdir(dirname(path), { recursive: true });
          await writeFile(path, `<?php\n${code}`);
          return `/wp-content/plugins/${file}`;
        },
      };
    },
  };
}
export type Sites = Awaited<ReturnType<typeof openSites>>;
export type TestSite = Awaited<ReturnType<Sites["open"]>>;
