import { createHash } from "node:crypto";
import type { FastifyHelmetOptions } from "@fastify/helmet";

/** CSP and the other security headers of the dashboard. Inline scripts of `indexHtml` are allowed by their hash. */
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
        // One-click sign-in posts a form to the customer's site, which may redirect to their own domain.
        formAction: ["'self'", appUrl.protocol],
        ...(isSecure && { upgradeInsecureRequests: [] }),
      },
    },
    hsts: isSecure && { maxAge: 365 * 24 * 60 * 60 },
    referrerPolicy: { policy: "strict-origin-when-cross-origin" },
  };
}
