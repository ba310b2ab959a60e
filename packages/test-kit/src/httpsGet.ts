import { once } from "node:events";
import { Agent, request as send } from "node:https";
import { buffer } from "node:stream/consumers";
import type { TLSSocket } from "node:tls";

/** Requests a page of a host on loopback by HTTPS. Rejects when the certificate is not signed by `ca`. */
export async function httpsGet(port: number, host: string, path: string, ca: string) {
  const agent = new Agent({ keepAlive: false, maxCachedSessions: 0 });
  const request = send({ host: "127.0.0.1", port, path, servername: host, headers: { host }, ca, agent });
  request.end();
  const [response] = await once(request, "response");
  const certificate = (response.socket as TLSSocket).getPeerCertificate();
  return {
    status: response.statusCode as number,
    headers: response.headers,
    text: (await buffer(response)).toString(),
    serial: certificate.serialNumber,
    names: certificate.subjectaltname,
  };
}
