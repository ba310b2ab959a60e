/** Prevents open redirects: the target if it is on our own origin, else the start page. */
export function safeRedirect(appUrl: URL, path: string | undefined): URL {
  // Browsers read a backslash as a slash and ignore control characters, so both are refused.
  const isPath = path !== undefined && /^\/(?!\/)[^\\\p{Cc}]*$/u.test(path);
  const target = isPath && URL.canParse(path, appUrl.href) ? new URL(path, appUrl) : new URL(appUrl);
  // "/.//evil.example" becomes "//evil.example", which a browser takes for another host.
  const isOurs = target.origin === appUrl.origin && !target.pathname.startsWith("//");
  return isOurs ? target : new URL(appUrl);
}
