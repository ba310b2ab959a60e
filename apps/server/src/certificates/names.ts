/** Whether a certificate for these names is valid for a host. A wildcard stands for exactly one label. */
export function covers(names: string[], host: string): boolean {
  return names.includes(host) || names.includes(wildcardOf(host));
}

/** `*.example.com` for `www.example.com` */
export function wildcardOf(host: string): string {
  const dot = host.indexOf(".");
  return dot < 0 ? "" : `*${host.slice(dot)}`;
}
