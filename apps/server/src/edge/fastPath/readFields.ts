const fieldLine = /^([\w-]+):([\t\x20-\x7e]*)$/;
/** Requests with one of these headers need the HTTP server itself. */
const unsupported = new Set(
  "content-length transfer-encoding upgrade expect range x-forwarded-host if-modified-since if-match if-unmodified-since".split(
    " ",
  ),
);

/** Parses header fields; undefined if they have duplicates, unusual syntax or an unsupported name. */
export function readFields(text: string): Record<string, string> | undefined {
  const headers: Record<string, string> = {};
  for (const line of text.split("\r\n")) {
    const [, name, value = ""] = fieldLine.exec(line) ?? [];
    const key = name?.toLowerCase();
    if (key === undefined || headers[key] !== undefined) return undefined;
    headers[key] = value.trim();
    if (unsupported.has(key)) return undefined;
    if (key === "connection" && !/^(keep-alive|close)$/i.test(headers[key])) return undefined;
  }
  return headers;
}
