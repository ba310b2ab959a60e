import type { IncomingMessage, ServerResponse } from "node:http";
import type { Language } from "@nido/contract";
import { edgePage } from "./edgePage.ts";
import { preferredLanguage } from "./preferredLanguage.ts";
import { sendText } from "./sendText.ts";

const texts = {
  es: [
    "Esta página no existe",
    "Puede que el enlace esté mal escrito o que la página ya no esté aquí.",
    "Ir al inicio",
  ],
  en: ["This page doesn't exist", "The link may be mistyped, or the page may be gone.", "Go to the home page"],
} as const;

/** Answers for a page that a site does not have, or cannot have: to a browser as a page. */
export function sendMissing(
  request: IncomingMessage,
  response: ServerResponse,
  { siteLanguage = "es", status = 404 }: { siteLanguage?: Language; status?: 400 | 404 },
) {
  const { accept = "", "accept-language": wanted = "" } = request.headers;
  const vary = { vary: "accept, accept-language" };
  if (!accept.includes("text/html")) return sendText(response, status, vary);
  const lang = preferredLanguage(wanted) ?? siteLanguage;
  const [title, text, home] = texts[lang];
  const html = edgePage({ lang, title, body: `<p>${text}</p><p><a href="/">${home}</a></p>` });
  response
    .writeHead(status, { "content-type": "text/html; charset=utf-8", "cache-control": "no-store", ...vary })
    .end(html);
}
