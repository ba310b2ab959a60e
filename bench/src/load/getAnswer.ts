import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { request as tlsRequest } from "node:https";
import { buffer } from "node:stream/consumers";
import { type Page, requestHeaders, type Server } from "./Server.ts";

/** One answer, as it was sent: its body is not decompressed. */
export async function getAnswer(server: Server, page: Page) {
  const headers = requestHeaders(server, page);
  const target = { hostname: "127.0.0.1", port: server.port, path: page.path, headers, agent: false };
  const sent = server.isTls
    ? tlsRequest({ ...target, servername: "localhost", rejectUnauthorized: false })
    : request(target);
  sent.end();
  const [response]: IncomingMessage[] = await once(sent, "response");
  if (!response) throw new Error(`${server.name} did not answer ${page.path}`);
  const body = await buffer(response);
  return { status: response.statusCode, encoding: response.headers["content-encoding"], bytes: body.length, body };
}
