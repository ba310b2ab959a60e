import { type IncomingHttpHeaders, validateHeaderName, validateHeaderValue } from "node:http";

const ofTheConnection = new Set(
  "connection keep-alive proxy-connection proxy-authenticate proxy-authorization te trailer transfer-encoding upgrade expect".split(
    " ",
  ),
);
/** An underscore would make another header of it for PHP. `Proxy` would become HTTP_PROXY for PHP; what proxies say of a visitor is ours to judge; PHP is not to compress. */
const notForPhp = /_|^(proxy|forwarded|x-forwarded-.*|x-real-ip|x-nido-.*|accept-encoding|range|if-none-match)$/;
/** Where an answer ends is ours to say. */
const notForVisitors = /^(x-powered-by|x-nido-.*|content-length)$/;

/** What PHP is told of a visitor's request. */
export function headersForPhp(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return filter(headers, (name) => !ofTheConnection.has(name) && !notForPhp.test(name));
}

/** What a visitor is told of PHP's answer. A cookie stays on the site's own host: its neighbours share the domain. */
export function headersForVisitor(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const passed = filter(
    headers,
    (name) => isHeader(name, headers[name]) && !ofTheConnection.has(name) && !notForVisitors.test(name),
  );
  const cookies = passed["set-cookie"]?.map((cookie) => cookie.replace(/;\s*domain=[^;]*/gi, ""));
  return { ...passed, ...(cookies && { "set-cookie": cookies }) } as Record<string, string | string[]>;
}

function isHeader(name: string, value: string | string[] | undefined): boolean {
  try {
    validateHeaderName(name);
    for (const each of [value ?? ""].flat()) validateHeaderValue(name, each);
    return true;
  } catch {
    return false;
  }
}

function filter(headers: IncomingHttpHeaders, isPassed: (name: string) => boolean): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => isPassed(name)));
}
