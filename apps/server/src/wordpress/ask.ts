import { text } from "node:stream/consumers";
import type { WordPress } from "./WordPress.ts";
import type { Site, SiteRequest } from "./WordPressRuntime.ts";

type Question = Pick<SiteRequest, "url" | "script" | "server">;

const patience = 120;

/** Asks a site for something on the platform's own behalf; throws unless it answers well. */
export async function ask({ runtime }: WordPress, site: Site, question: Question): Promise<string> {
  const headers = { host: new URL(site.url).host };
  const request = { method: "GET", headers, visitor: "127.0.0.1", seconds: patience, ...question };
  const response = await runtime.answer(site, request);
  const page = await text(response.body);
  if (response.status !== 200) throw new Error(`${question.url} answered ${response.status}: ${page.slice(0, 500)}`);
  return page;
}

/** A site is healthy when its home page and its login page answer. */
export async function expectHealth(wordpress: WordPress, site: Site) {
  await ask(wordpress, site, { url: "/", script: { in: "core", path: "index.php" } });
  await ask(wordpress, site, { url: "/wp-login.php", script: { in: "core", path: "wp-login.php" } });
}
