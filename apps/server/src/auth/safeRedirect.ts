/** Where a sign-in may send the browser back to: an address on our own origin, else the start page. */
export function safeReturn(appUrl: URL, path: string | undefined): URL {
  // Browsers read a backslash as a slash and drop control characters: neither belongs in a path of ours.
  const isPath = path !== undefined && /^\/(?!\/)[^\\\p{Cc}]*$/u.test(path);
  const target = isPath && URL.canParse(path, appUrl.href) ? new URL(path, appUrl) : new URL(appUrl);
  return target.origin === appUrl.origin ? target : new URL(appUrl);
}
