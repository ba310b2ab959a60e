import type { IncomingMessage } from "node:http";

const mostBytes = 4096;

/** The form of the one-click sign-in; undefined where it is not one. */
export async function readSignIn(request: IncomingMessage) {
  if (!/^application\/x-www-form-urlencoded\b/.test(request.headers["content-type"] ?? "")) return undefined;
  const body: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > mostBytes) return undefined;
    body.push(chunk);
  }
  const form = new URLSearchParams(Buffer.concat(body).toString());
  const tokens = form.getAll("token");
  if (tokens.length !== 1 || !tokens[0]) return undefined;
  return { token: tokens[0], isMedia: form.has("media") };
}
