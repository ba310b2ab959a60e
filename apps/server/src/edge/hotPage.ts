import { STATUS_CODES } from "node:http";
import { compressedNow, type Encoding, type Page } from "./PageCache.ts";

const heads = new WeakMap<Page, Map<string, Buffer>>();

/** The bytes of an answer with this page, all but the date made once; undefined where it is not compressed yet. */
export function hotPage(page: Page, encoding: Encoding | undefined): Buffer | undefined {
  const body = encoding ? compressedNow(page, encoding) : page.body;
  if (!body) return undefined;
  const known = heads.get(page) ?? new Map<string, Buffer>();
  heads.set(page, known);
  const date = currentDate();
  const whole = known.get(`${encoding} ${date}`);
  if (whole) return whole;
  const lines = Object.entries({ "cache-control": "no-cache", ...page.headers }).flatMap(([name, value]) =>
    [value].flat().map((each) => `${name}: ${each}`),
  );
  const head = [
    `HTTP/1.1 ${page.status} ${STATUS_CODES[page.status]}`,
    ...lines,
    `etag: ${page.etag}`,
    "vary: accept-encoding",
    "x-cache: hit",
    ...(encoding ? [`content-encoding: ${encoding}`] : []),
    `content-length: ${body.length}`,
    `date: ${date}`,
    "connection: keep-alive",
    "",
    "",
  ].join("\r\n");
  const made = Buffer.concat([Buffer.from(head, "latin1"), body]);
  // One second's answers: the next second makes its own.
  known.clear();
  known.set(`${encoding} ${date}`, made);
  return made;
}

let shownSecond = 0;
let shownDate = "";

function currentDate(): string {
  const second = Math.floor(Date.now() / 1000);
  if (second !== shownSecond) {
    shownSecond = second;
    shownDate = new Date(second * 1000).toUTCString();
  }
  return shownDate;
}
