import type { IncomingMessage } from "node:http";

const largest = 256 * 1024;

export async function readForm(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request) {
    body += chunk;
    if (body.length > largest) throw new Error("the form is too large");
  }
  return body;
}
