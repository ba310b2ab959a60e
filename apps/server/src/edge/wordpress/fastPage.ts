import type { Encoding } from "../../deploys/blobs/BlobStore.ts";
import { FastHead, type FastResponse } from "../fastPath/FastHead.ts";
import { compressedNow, type Page } from "./PageCache.ts";
import { pageHeaders } from "./sendPage.ts";

/** The cache counts every page three times for its compressed forms and these copies. */
const maxJoinedBytes = 2 ** 16;
const responsesOf = new WeakMap<Page, Map<Encoding | undefined, FastResponse>>();

/** The response with this page; undefined if it is not compressed yet. */
export function fastPage(page: Page, encoding: Encoding | undefined): FastResponse | undefined {
  const known = responsesOf.get(page)?.get(encoding);
  if (known) return known;
  const body = encoding ? compressedNow(page, encoding) : page.body;
  if (!body) return undefined;
  const fields = {
    ...pageHeaders(page, "hit"),
    ...(encoding && { "content-encoding": encoding }),
    "content-length": String(body.length),
  };
  const response = { head: new FastHead(page.status, fields, maxJoinedBytes), body };
  const responses = responsesOf.get(page) ?? new Map<Encoding | undefined, FastResponse>();
  responsesOf.set(page, responses.set(encoding, response));
  return response;
}
