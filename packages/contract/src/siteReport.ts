import type { Language } from "./languages.ts";
import { maxRulesBytes, type RuleFaultReason } from "./redirects.ts";
import { errorReasons, literalReasons, ruleTexts } from "./ruleTexts.ts";

/** The most important first. */
export const findingKinds = ["secret", "home", "rulesSize", "rule", "asset", "link", "title", "image"] as const;
export type FindingKind = (typeof findingKinds)[number];

export const fileGroups = ["page", "style", "script", "image", "font", "media", "other"] as const;
export type FileGroup = (typeof fileGroups)[number];

/** Probable mistakes of one kind. They do not prevent publishing. */
export interface Finding {
  kind: FindingKind;
  /** why lines of a rules file are not followed, or do not do what they say */
  reason?: RuleFaultReason;
  count: number;
  /** the first of them */
  items: FindingItem[];
}

export interface FindingItem {
  file: string;
  line?: number;
  /** the line, or the link */
  text?: string;
}

/** What was noticed before a site was published. It is kept with the deploy. */
export interface SiteReport {
  findings: Finding[];
  /** the size of all files of a kind */
  bytes: Partial<Record<FileGroup, number>>;
}

export const maxFindingItems = 20;
export const maxFindingText = 200;
/** Larger pictures make a page slow on a phone. */
export const largeImageBytes = 500_000;

export function countFindings({ findings }: SiteReport): number {
  return findings.reduce((sum, { count }) => sum + count, 0);
}

/** A sentence about a finding. */
export function describeFinding({ kind, reason, count, items }: Finding, lang: Language): string {
  if (kind !== "rule" || !reason) return texts[lang][kind](count);
  return `${items[0]?.file}: ${outcome(reason)[lang](count)} ${ruleTexts[lang][reason]}`;
}

function outcome(reason: RuleFaultReason): Record<Language, (count: number) => string> {
  if (errorReasons.has(reason)) return rulesToErrors;
  return literalReasons.has(reason) ? literalRules : { es: texts.es.rule, en: texts.en.rule };
}

/** Where it is: `_redirects:3: /a /b 999`. */
export function describeItem({ file, line, text }: FindingItem): string {
  return [line === undefined ? file : `${file}:${line}`, text].filter(Boolean).join(": ");
}

export const fileGroupNames: Record<Language, Record<FileGroup, string>> = {
  es: {
    page: "páginas",
    style: "estilos",
    script: "scripts",
    image: "imágenes",
    font: "fuentes",
    media: "vídeo y audio",
    other: "otros",
  },
  en: {
    page: "pages",
    style: "styles",
    script: "scripts",
    image: "images",
    font: "fonts",
    media: "video and audio",
    other: "other",
  },
};

const rulesToErrors: Record<Language, (count: number) => string> = {
  es: (count) => `${count === 1 ? "1 línea lleva" : `${count} líneas llevan`} a un error.`,
  en: (count) => `${count === 1 ? "1 line leads" : `${count} lines lead`} to an error.`,
};

const literalRules: Record<Language, (count: number) => string> = {
  es: (count) => `${count === 1 ? "1 línea no hace lo que dice" : `${count} líneas no hacen lo que dicen`}.`,
  en: (count) => `${count === 1 ? "1 line does not do what it says" : `${count} lines do not do what they say`}.`,
};

const rulesKilobytes = maxRulesBytes / 1024;

const texts: Record<Language, Record<FindingKind, (count: number) => string>> = {
  es: {
    secret: (count) =>
      `${count === 1 ? "1 archivo parece" : `${count} archivos parecen`} contener una clave secreta que cualquiera podría leer.`,
    home: () => "No hay index.html: quien abra tu portada verá un error. Publica la carpeta que contiene index.html.",
    rulesSize: () => `Un archivo de reglas tiene más de ${rulesKilobytes} kB y no se tendrá en cuenta.`,
    rule: (count) => `${count === 1 ? "1 línea no se tendrá" : `${count} líneas no se tendrán`} en cuenta.`,
    asset: (count) =>
      `${count === 1 ? "Falta 1 archivo que una página usa" : `Faltan ${count} archivos que las páginas usan`}.`,
    link: (count) => `${count === 1 ? "1 enlace interno no lleva" : `${count} enlaces internos no llevan`} a nada.`,
    title: (count) => `${count === 1 ? "1 página no tiene" : `${count} páginas no tienen`} título.`,
    image: (count) =>
      `${count === 1 ? "1 imagen ocupa" : `${count} imágenes ocupan`} más de ${largeImageBytes / 1000} kB.`,
  },
  en: {
    secret: (count) =>
      `${count === 1 ? "1 file seems" : `${count} files seem`} to contain a secret key that anybody could read.`,
    home: () =>
      "There is no index.html: visitors to your home page will see an error. Publish the folder that contains index.html.",
    rulesSize: () => `A rules file has more than ${rulesKilobytes} kB and will be ignored.`,
    rule: (count) => `${count === 1 ? "1 line" : `${count} lines`} will be ignored.`,
    asset: (count) => `${count === 1 ? "1 file that a page uses is" : `${count} files that pages use are`} missing.`,
    link: (count) => `${count === 1 ? "1 internal link leads" : `${count} internal links lead`} nowhere.`,
    title: (count) => `${count === 1 ? "1 page has" : `${count} pages have`} no title.`,
    image: (count) => `${count === 1 ? "1 image has" : `${count} images have`} more than ${largeImageBytes / 1000} kB.`,
  },
};
