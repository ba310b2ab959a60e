import { type ServerResponse, STATUS_CODES } from "node:http";

/** An error of the edge itself, as plain text. */
export function sendText(response: ServerResponse, status: number, headers: Record<string, string> = {}) {
  const text = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" };
  response.writeHead(status, { ...text, ...headers }).end(`${status} ${STATUS_CODES[status]}\n`);
}
