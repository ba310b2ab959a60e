import { createHash } from "node:crypto";
import type { FastifyHelmetOptions } from "@fastify/helmet";

/** What the dashboard's pages may load and where their forms may go. `indexHtml` names its own inline scripts. */
export function securityHeaders(appUrl: URL, indexHtml: string): FastifyHelmetOptions {
  const isSecure = appUrl.protocol === "https:";
  const inlineScripts = Array.from(indexHtml.matchAll(/<script>([\s\S]*?)<\/script>/g), ([, source = ""]) => {
    return `'sha256-${createHash("sha256").update(source).digest("base64")}'`;
  });
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        baseUri: ["'none'"],
        objectSrc: ["'none'"],
        frameAncestors: ["'none'"],
        scriptSrc: ["'self'", ...inlineScripts],
        imgSrc: ["'self'", "data:", "https://*.googleusercontent.com"],
        connectSrc: ["'self'", appUrl.origin.replace(/^http/, "ws")],
        // Opening WordPress is a form sent to the customer's own site, which may have sent it on to a domain of theirs.
        formAction: ["'self'", appUrl.protocol],
        ...(isSecure && { upgradeInsecureRequests: [] }),
      },
    },
    hsts: isSecure && { maxAge: 365 * 24 * 60 * 60 },
    referrerPolicy: { policy: "strict-origin-when-cross-origin" },
  };
}
