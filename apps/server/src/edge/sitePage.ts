import type { ServerResponse } from "node:http";
import { categoryOf, type Language, type ProjectStatus, type Recipe } from "@nido/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import { escapeHtml } from "../platform/escapeHtml.ts";
import { edgePage } from "./edgePage.ts";

interface Site {
  name: string;
  recipe: Recipe;
  status: ProjectStatus;
  lang: Language;
}

const texts = {
  es: {
    none: ["Aquí no hay ningún sitio", "Comprueba la dirección."],
    welcome: ["está casi en línea", "Este sitio se acaba de crear. Su contenido aparecerá aquí en cuanto se publique."],
    provisioning: ["se está preparando", "WordPress se está instalando. Vuelve en un momento."],
    failed: ["no está disponible", "Estamos resolviendo un problema con este sitio."],
    suspended: [
      "está suspendido",
      "Este sitio está en pausa. Si es tuyo, revisa el pago en tu panel y volverá al momento.",
    ],
    panel: "Ir al panel",
  },
  en: {
    none: ["There is no site here", "Check the address."],
    welcome: [
      "is almost online",
      "This site has just been created. Its content will appear here once it is published.",
    ],
    provisioning: ["is being prepared", "WordPress is being installed. Come back in a moment."],
    failed: ["is not available", "We are solving a problem with this site."],
    suspended: [
      "is suspended",
      "This site is paused. If it is yours, check the payment in your dashboard and it will be back at once.",
    ],
    panel: "Go to the dashboard",
  },
} as const;

interface Page {
  site: Site | undefined;
  brand: string;
  appUrl: URL;
}

/** Answers for a site that has nothing of its own to show, or does not exist. */
export function sendSitePage(request: FastifyRequest, reply: FastifyReply, page: Page) {
  if (request.method !== "GET" && request.method !== "HEAD") return reply.code(405).header("allow", "GET, HEAD").send();
  const { status, html } = sitePage(page);
  if (status === 503) reply.header("retry-after", "60");
  return reply.code(status).header("cache-control", "no-store").type("text/html; charset=utf-8").send(html);
}

/** Answers for a site that failed to answer. */
export function sendUnavailable(response: ServerResponse, { site, ...rest }: Page & { site: Site }) {
  const { html } = sitePage({ ...rest, site: { ...site, status: "failed" } });
  response
    .writeHead(503, { "content-type": "text/html; charset=utf-8", "cache-control": "no-store", "retry-after": "5" })
    .end(html);
}

function sitePage({ site, brand, appUrl }: Page): { status: number; html: string } {
  const lang = site?.lang ?? "es";
  const kind = kindOf(site);
  const [heading, text] = texts[lang][kind];
  const title = site ? `${site.name} ${heading}` : heading;
  const link = `<a href="${new URL("/settings?tab=products", appUrl).href}">${texts[lang].panel}</a>`;
  const more = kind === "suspended" ? `<p>${link}</p>` : "";
  const html = edgePage({ lang, title, body: `<p>${text}</p>${more}<small>${escapeHtml(brand)}</small>` });
  return { status: statuses[kind], html };
}

const statuses = { none: 404, welcome: 200, provisioning: 503, failed: 503, suspended: 503 };

function kindOf(site: Site | undefined): keyof typeof statuses {
  if (!site) return "none";
  if (site.status !== "active") return site.status;
  return categoryOf(site.recipe) === "static" ? "welcome" : "failed";
}
