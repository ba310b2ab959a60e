import type { IncomingMessage } from "node:http";

const maxFormBytes = 4096;

/** The form of the one-click sign-in; undefined if it is malformed. */
export async function readSsoForm(request: IncomingMessage) {
  if (!/^application\/x-www-form-urlencoded\b/.test(request.headers["content-type"] ?? "")) return undefined;
  const body: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > maxFormBytes) return undefined;
    body.push(chunk);
  }
  const form = new URLSearchParams(Buffer.concat(body).toString());
  const tokens = form.getAll("token");
  if (tokens.length !== 1 || !tokens[0]) return undefined;
  return { token: tokens[0], isMedia: form.has("media") };
}
