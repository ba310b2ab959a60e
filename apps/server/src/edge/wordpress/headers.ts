import { type IncomingHttpHeaders, validateHeaderName, validateHeaderValue } from "node:http";

const hopByHop = new Set(
  "connection keep-alive proxy-connection proxy-authenticate proxy-authorization te trailer transfer-encoding upgrade expect http2-settings".split(
    " ",
  ),
);
/**
 * Headers that visitors cannot pass to PHP: `Proxy` would become HTTP_PROXY (httpoxy), an underscore would imitate another
 * header, forwarding headers are untrusted, and the edge itself compresses and handles ranges.
 */
const notForPhp =
  /_|^(proxy|forwarded|x-forwarded-.*|x-real-ip|(cf-connecting|true-client|x-client|client|x-cluster-client|fastly-client)-ip|x-nido-.*|accept-encoding|range|if-none-match)$/;
/** PHP's headers that visitors do not get. The edge sets the length of a response itself. */
const notForVisitors = /^(x-powered-by|x-nido-.*|content-length)$/;

/** The request headers that PHP gets. */
export function headersForPhp(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  // HTTP/2 has pseudo-headers, such as `:authority`.
  return filter(headers, (name) => !name.startsWith(":") && !hopByHop.has(name) && !notForPhp.test(name));
}

/** The response headers that the visitor gets. Cookies lose their Domain: neighbour sites share the parent domain. */
export function headersForVisitor(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const passed = filter(
    headers,
    (name) => isHeader(name, headers[name]) && !hopByHop.has(name) && !notForVisitors.test(name),
  );
  const cookies = passed["set-cookie"]?.map((cookie) => withoutDomain(cookie));
  return { ...passed, ...(cookies && { "set-cookie": cookies }) } as Record<string, string | string[]>;
}

/** Removes the attribute Domain, recognised as browsers do: spaces around its name are ignored (RFC 6265, 5.2). */
function withoutDomain(cookie: string): string {
  const [pair = "", ...attributes] = cookie.split(";");
  return [pair, ...attributes.filter((attribute) => !/^\s*domain\s*(=|$)/i.test(attribute))].join(";");
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
