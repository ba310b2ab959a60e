import { type IncomingMessage, request as sendPlain } from "node:http";
import { request as sendEncrypted } from "node:https";

/** The names of a site, and where all of them are served. */
export interface SiteHosts {
  /** `name:port` of each */
  names: string[];
  /**
   * The host to connect to, whatever the name. It is the platform's own: customers can point the DNS of their domains
   * anywhere, also at machines that only this one can reach.
   */
  target: string;
}

const maxRedirects = 3;
const timeoutMs = 10_000;

/** The address of the page that a site shows there, after redirects; undefined if that is an error, or elsewhere. */
export async function findPage(address: string, site: SiteHosts): Promise<string | undefined> {
  let url = new URL(address);
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    if (!/^https?:$/.test(url.protocol) || !site.names.includes(hostOf(url))) return undefined;
    const answer = await get(url, site.target);
    answer.destroy();
    const { statusCode = 0, headers } = answer;
    if (statusCode === 200) return /^text\/html/.test(headers["content-type"] ?? "") ? url.href : undefined;
    if (statusCode < 300 || statusCode >= 400 || !headers.location) return undefined;
    url = new URL(headers.location, url);
  }
  return undefined;
}

function get(url: URL, target: string): Promise<IncomingMessage> {
  const { protocol, hostname, host, pathname, search } = url;
  const send = protocol === "https:" ? sendEncrypted : sendPlain;
  return new Promise((resolve, reject) => {
    send(
      {
        host: target,
        port: Number(hostOf(url).split(":").at(-1)),
        path: pathname + search,
        headers: { host, accept: "text/html", "user-agent": "NidoPictureBot/1.0" },
        servername: hostname,
        rejectUnauthorized: false,
        agent: false,
        signal: AbortSignal.timeout(timeoutMs),
      },
      resolve,
    )
      .on("error", reject)
      .end();
  });
}

/** With the port, also if it is the default one. */
export function hostOf({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;
}
