import type { IncomingMessage } from "node:http";

const maxFormLength = 256 * 1024;

export async function readForm(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request) {
    body += chunk;
    if (body.length > maxFormLength) throw new Error(`Form is longer than ${maxFormLength} characters`);
  }
  return body;
}
