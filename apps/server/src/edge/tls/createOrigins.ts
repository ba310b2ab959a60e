import type { Certificates } from "../../certificates/createCertificates.ts";
import type { Config } from "../../config/parseConfig.ts";

/**
 * The address of a host, which may have a port. A host that has no certificate yet is served over plain HTTP, but a
 * visitor who came over HTTPS is never sent to plain HTTP.
 */
export function createOrigins({ APP_URL, HTTP_PORT }: Config, certificates: Certificates | undefined) {
  const httpPort = HTTP_PORT === 80 ? "" : `:${HTTP_PORT}`;
  return async (host: string, isEncrypted: boolean): Promise<string> => {
    const isServed = isEncrypted || !certificates || (await certificates.contexts.has(host).catch(() => true));
    return isServed ? `${APP_URL.protocol}//${host}` : `http://${host.replace(/:\d+$/, "")}${httpPort}`;
  };
}
