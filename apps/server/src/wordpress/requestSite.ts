import { readAll } from "../platform/readBounded.ts";
import type { WordPress } from "./WordPress.ts";
import type { Site, SiteRequest } from "./WordPressRuntime.ts";

type Question = Pick<SiteRequest, "url" | "script" | "server" | "seconds">;

const patience = 120;
const largest = 16 * 2 ** 20;

/** Asks a site for something on the platform's own behalf; throws unless it answers well. */
export async function ask(wordpress: WordPress, site: Site, question: Question): Promise<string> {
  const { status, page } = await tryOut(wordpress, site, question);
  if (status !== 200) throw new Error(`${question.url} answered ${status}: ${page.slice(0, 500)}`);
  return page;
}

/** What the home page and the login page answer. A customer may have hidden either; what broke answers 500 and more. */
export async function healthOf(wordpress: WordPress, site: Site): Promise<number[]> {
  const pages = [
    { url: "/", path: "index.php" },
    { url: "/wp-login.php", path: "wp-login.php" },
  ];
  const answers = pages.map(({ url, path }) => tryOut(wordpress, site, { url, script: { in: "core", path } }));
  return (await Promise.all(answers)).map(({ status }) => status);
}

async function tryOut({ runtime }: WordPress, site: Site, question: Question) {
  const headers = { host: new URL(site.url).host };
  const request = { method: "GET", headers, visitor: "127.0.0.1", seconds: patience, ...question };
  const { status, body } = await runtime.answer(site, request);
  return { status, page: (await readAll(body, largest)).toString() };
}
