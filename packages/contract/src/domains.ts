export const domainMaxLength = 100;
export const domainsPerProject = 50;

/**
 * Extracts the host from what a customer typed or pasted, in its ASCII (Punycode) form; undefined if it cannot be a
 * public host name. `https://Münich.example/x` becomes `xn--mnich-kva.example`.
 */
export function toDomainHost(typed: string): string | undefined {
  const text = typed.trim();
  if (text === "" || text.length > domainMaxLength || /[\s\p{Cc}\\]/u.test(text)) return undefined;
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined;
  const { hostname, username, password, port } = new URL(url);
  const host = hostname.replace(/\.$/, "");
  return username === "" && password === "" && port === "" && isPublicHost(host) ? host : undefined;
}

/** The host as it was typed, for display: without the scheme and path that may have been pasted with it. */
export function typedHost(typed: string): string {
  const [host = ""] = typed
    .trim()
    .replace(/^https?:\/\//i, "")
    .split(/[/?#]/, 1);
  return host.replace(/\.$/, "");
}

/** The same domain with or without `www.`; undefined for any other subdomain. */
export function counterpartOf(host: string): string | undefined {
  if (host.startsWith("www.")) return host.slice(4).includes(".") ? host.slice(4) : undefined;
  const isRegistered = /^[^.]+\.([^.]+|(co|com|net|org|edu|gob|gov|ac|nom)\.[a-z]{2})$/.test(host);
  return isRegistered ? `www.${host}` : undefined;
}

function isPublicHost(host: string): boolean {
  const labels = host.split(".");
  const areLabels = labels.every((label) => /^(?!-)[a-z0-9-]{1,63}(?<!-)$/.test(label));
  // A host whose last label has no letter is an IP address.
  return areLabels && labels.length > 1 && host.length <= 253 && /[a-z]/.test(labels.at(-1) ?? "");
}
