import type { Language } from "@nido/contract";
import { escapeHtml } from "../platform/escapeHtml.ts";
import type { MailContent, MailName, MailParams } from "./templates.ts";
import { en } from "./texts/en.ts";
import { es } from "./texts/es.ts";

const texts = { es, en };
const footers = {
  es: {
    customer: (brand: string) => `Te escribimos porque tienes una cuenta de ${brand}.`,
    operator: (brand: string) => `${brand} escribe esto a quien lo administra.`,
    stranger: (brand: string) => `Te escribimos porque alguien ha escrito este correo en ${brand}.`,
    mute: "No recibir más mensajes como este",
  },
  en: {
    customer: (brand: string) => `You get this message because you have a ${brand} account.`,
    operator: (brand: string) => `${brand} writes this to its operator.`,
    stranger: (brand: string) => `You get this message because someone typed this address at ${brand}.`,
    mute: "Stop messages like this one",
  },
};

export interface MailLook {
  brand: string;
  appUrl: URL;
  supportEmail: string;
  /** why the recipient gets it: a customer has an account, a stranger typed an address */
  reader: "customer" | "operator" | "stranger";
  /** where the recipient turns such messages off; undefined if that is not possible */
  unsubscribeUrl: string | undefined;
}

export interface RenderedMail {
  subject: string;
  html: string;
  text: string;
}

/** The HTML and the plain text of a message, in the recipient's language. */
export function renderMail<Name extends MailName>(
  template: Name,
  params: MailParams[Name],
  lang: Language,
  look: MailLook,
): RenderedMail {
  const content = texts[lang][template](params, { brand: look.brand, lang });
  return { subject: content.subject, html: toHtml(content, lang, look), text: toText(content, lang, look) };
}

function toText({ paragraphs, code, facts = [], button, note }: MailContent, lang: Language, look: MailLook): string {
  const { mute, ...footer } = footers[lang];
  const why = footer[look.reader](look.brand);
  const blocks = [
    ...paragraphs,
    code,
    facts.map(([label, value]) => `${label}: ${value}`).join("\n"),
    button && `${button.label}:\n${new URL(button.path, look.appUrl)}`,
    note,
    `-- \n${look.brand} · ${look.supportEmail}\n${why}`,
    look.unsubscribeUrl && `${mute}: ${look.unsubscribeUrl}`,
  ];
  return `${blocks.filter(Boolean).join("\n\n")}\n`;
}

function toHtml(content: MailContent, lang: Language, look: MailLook): string {
  const { subject, paragraphs, code, facts = [], button, note } = content;
  const { mute, ...footer } = footers[lang];
  const why = footer[look.reader](look.brand);
  const blocks = [
    `<h1 class="ink">${escapeHtml(subject)}</h1>`,
    ...paragraphs.map((text) => `<p class="ink">${escapeHtml(text)}</p>`),
    code && `<p class="code ink">${escapeHtml(code)}</p>`,
    facts.length > 0 &&
      `<table class="facts" role="presentation">${facts
        .map(
          ([label, value]) =>
            `<tr><td class="soft">${escapeHtml(label)}</td><td class="ink">${escapeHtml(value)}</td></tr>`,
        )
        .join("")}</table>`,
    button &&
      `<p><a class="button" href="${escapeHtml(new URL(button.path, look.appUrl))}">${escapeHtml(button.label)}</a></p>`,
    note && `<p class="soft">${escapeHtml(note)}</p>`,
  ];
  const lines = [
    `${escapeHtml(look.brand)} · <a class="soft" href="mailto:${escapeHtml(look.supportEmail)}">${escapeHtml(look.supportEmail)}</a>`,
    escapeHtml(why),
    look.unsubscribeUrl && `<a class="soft" href="${escapeHtml(look.unsubscribeUrl)}">${mute}</a>`,
  ];
  return `<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${styles}</style>
</head>
<body>
<div class="preview">${escapeHtml(paragraphs[0])}</div>
<div class="page">
<p class="brand">${escapeHtml(look.brand)}</p>
<div class="card">
${blocks.filter(Boolean).join("\n")}
</div>
<p class="footer soft">${lines.filter(Boolean).join("<br>")}</p>
</div>
</body>
</html>`;
}

// Classes, not inline styles: mail programs that drop the style sheet still show a readable, unstyled message.
const styles = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
body { margin: 0; padding: 0; background: #faf9f7; font: 16px/1.55 system-ui, -apple-system, "Segoe UI", sans-serif; }
.preview { display: none; max-height: 0; overflow: hidden; }
.page { max-width: 520px; margin: 0 auto; padding: 32px 16px; }
.brand { margin: 0 0 16px; font-size: 18px; font-weight: 700; color: #b94a26; }
.card { padding: 28px; border: 1px solid #e7e3dc; border-radius: 14px; background: #ffffff; }
.ink { color: #1c1a17; }
.soft { color: #6d675e; }
h1 { margin: 0 0 12px; font-size: 21px; line-height: 1.3; overflow-wrap: anywhere; }
p { margin: 0 0 18px; }
.card p:last-child { margin-bottom: 0; }
p.soft { font-size: 14px; }
.code { font: 700 30px/1.2 ui-monospace, monospace; letter-spacing: 6px; }
.facts { width: 100%; margin: 0 0 18px; border-collapse: collapse; }
.facts td { padding: 8px 12px 8px 0; border-bottom: 1px solid #e7e3dc; vertical-align: top; }
.facts td:last-child { overflow-wrap: anywhere; }
.button { display: inline-block; padding: 11px 18px; border-radius: 9px; background: #1c1a17; color: #ffffff; font-weight: 600; text-decoration: none; }
.footer { margin: 20px 0 0; font-size: 13px; }
@media (prefers-color-scheme: dark) {
  body { background: #141310; }
  .brand { color: #ee8a62; }
  .card { background: #1c1a17; border-color: #2e2a25; }
  .ink { color: #f4f1ec; }
  .soft { color: #b8b1a6; }
  .facts td { border-color: #2e2a25; }
  .button { background: #f4f1ec; color: #141310; }
}`;
