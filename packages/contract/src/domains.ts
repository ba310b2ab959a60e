export const domainMaxLength = 100;
export const domainsPerProject = 50;

/**
 * The host a customer means by what they typed or pasted, in the ASCII form that DNS knows; undefined for what
 * cannot be a public name. `https://Münich.example/x` is `xn--mnich-kva.example`.
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

/** The host as it was typed, for showing: without what was pasted around it. */
export function typedHost(typed: string): string {
  const [host = ""] = typed
    .trim()
    .replace(/^https?:\/\//i, "")
    .split(/[/?#]/, 1);
  return host.replace(/\.$/, "");
}

/** The other one of a site's two usual names, `www.` or not; undefined where a name is neither. */
export function counterpartOf(host: string): string | undefined {
  if (host.startsWith("www.")) return host.slice(4).includes(".") ? host.slice(4) : undefined;
  const isRegistered = /^[^.]+\.([^.]+|(co|com|net|org|edu|gob|gov|ac|nom)\.[a-z]{2})$/.test(host);
  return isRegistered ? `www.${host}` : undefined;
}

function isPublicHost(host: string): boolean {
  const labels = host.split(".");
  const areLabels = labels.every((label) => /^(?!-)[a-z0-9-]{1,63}(?<!-)$/.test(label));
  // A name that ends in digits is an address, not a name.
  return areLabels && labels.length > 1 && host.length <= 253 && /[a-z]/.test(labels.at(-1) ?? "");
}
