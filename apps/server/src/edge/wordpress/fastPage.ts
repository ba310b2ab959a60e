import type { Encoding } from "../../deploys/blobs/BlobStore.ts";
import { loggedPath } from "../../traffic/RecentRequests.ts";
import { FastHead, type FastResponse } from "../fastPath/FastHead.ts";
import { compressedNow, type Page } from "./PageCache.ts";
import { pageHeaders } from "./sendPage.ts";

/** The cache counts every page three times for its compressed forms and these copies. */
const maxJoinedBytes = 2 ** 16;
const nothing = Buffer.alloc(0);
type Form = Encoding | "unchanged" | undefined;
/** A page has one path, so this is also known of its responses. */
const responsesOf = new WeakMap<Page, Map<Form, FastResponse>>();

/** The response with this page; undefined if it is not compressed yet. */
export function fastPage(page: Page, encoding: Encoding | undefined, url: string): FastResponse | undefined {
  const known = responsesOf.get(page)?.get(encoding);
  if (known) return known;
  const body = encoding ? compressedNow(page, encoding) : page.body;
  if (!body) return undefined;
  const fields = {
    ...pageHeaders(page, "hit"),
    ...(encoding && { "content-encoding": encoding }),
    "content-length": String(body.length),
  };
  const response = { head: new FastHead(page.status, fields, maxJoinedBytes), body, path: loggedPath(url) };
  return store(page, encoding, response);
}

/** The response for a visitor who has this page already. */
export function unchangedPage(page: Page, url: string): FastResponse {
  const known = responsesOf.get(page)?.get("unchanged");
  if (known) return known;
  const head = new FastHead(304, pageHeaders(page, "hit"), 0);
  return store(page, "unchanged", { head, body: nothing, path: loggedPath(url) });
}

function store(page: Page, form: Form, response: FastResponse): FastResponse {
  const responses = responsesOf.get(page) ?? new Map<Form, FastResponse>();
  responsesOf.set(page, responses.set(form, response));
  return response;
}
