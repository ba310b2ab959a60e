import { STATUS_CODES } from "node:http";
import { compressedNow, type Encoding, type Page } from "./PageCache.ts";

interface RawResponse {
  /** the time in its Date header, in seconds since 1970 */
  second: number;
  bytes: Buffer;
}
const responsesOf = new WeakMap<Page, Map<Encoding | undefined, RawResponse>>();

/** The bytes of a whole response, rendered once a second because of the date; undefined if it is not compressed yet. */
export function rawPage(page: Page, encoding: Encoding | undefined): Buffer | undefined {
  const second = Math.floor(Date.now() / 1000);
  const responses = responsesOf.get(page) ?? new Map<Encoding | undefined, RawResponse>();
  const known = responses.get(encoding);
  if (known?.second === second) return known.bytes;
  const body = encoding ? compressedNow(page, encoding) : page.body;
  if (!body) return undefined;
  const bytes = Buffer.concat([Buffer.from(headOf(page, encoding, body.length, second), "latin1"), body]);
  responsesOf.set(page, responses.set(encoding, { second, bytes }));
  return bytes;
}

function headOf(
  { status, headers, etag }: Page,
  encoding: Encoding | undefined,
  length: number,
  second: number,
): string {
  const fields = Object.entries({
    "cache-control": "no-cache",
    ...headers,
    etag,
    vary: "accept-encoding",
    "x-cache": "hit",
    ...(encoding && { "content-encoding": encoding }),
    "content-length": String(length),
    date: new Date(second * 1000).toUTCString(),
    connection: "keep-alive",
  });
  const lines = fields.flatMap(([name, value]) => [value].flat().map((each) => `${name}: ${each}`));
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, "", ""].join("\r\n");
}
