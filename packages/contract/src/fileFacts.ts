import { findLinks, findStyleLinks, type Links } from "./findLinks.ts";
import type { FileGroup } from "./siteReport.ts";

/** What a report needs from the content of a file, and nothing else, so that it can be kept by the file's digest. */
export interface FileFacts extends Links {
  isSecret: boolean;
  isUntitled: boolean;
  /** what its `<base>` says */
  base: string;
}

/** Keys that give access to something: of servers, AWS, Stripe, GitHub, GitLab, Slack, OpenAI. */
const secret =
  /-----BEGIN [A-Z ]*PRIVATE KEY-----(?:\s|\\n)+[A-Za-z0-9+/=]{40}|\bAKIA[0-9A-Z]{9}(?!EXAMPLE)[0-9A-Z]{7}\b|\b[rs]k_live_\w{20,}|\bgh[pousr]_\w{36}|\bglpat-[\w-]{20}|\bxox[bpars]-[\w-]{20,}|\bsk-(proj-)?\w{40,}/;
const isDocument = /<(!doctype html|html|head)\b/i;
const title = /<title\b[^>]*>\s*[^<\s]/i;
const refresh = /<meta\s[^>]*http-equiv\s*=\s*["']?refresh/i;
const baseTag = /<base\s[^<>]*?href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;
/** Where a page says what applies to all of it. */
const headLength = 100_000;
const none: Links = { assets: [], pages: [] };

export function readFacts(text: string, group: FileGroup): FileFacts {
  const isSecret = secret.test(text);
  if (group === "style") return { isSecret, isUntitled: false, base: "", ...findStyleLinks(text) };
  if (group !== "page") return { isSecret, isUntitled: false, base: "", ...none };
  const head = text.slice(0, headLength);
  const [, one, two, three] = baseTag.exec(head) ?? [];
  return {
    isSecret,
    isUntitled: isDocument.test(head) && !title.test(head) && !refresh.test(head),
    base: one ?? two ?? three ?? "",
    ...findLinks(text),
  };
}
