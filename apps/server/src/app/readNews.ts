import { readFile } from "node:fs/promises";
import type { NewsEntry } from "@nido/contract";
import { z } from "zod";
import { ConfigError } from "../config/ConfigError.ts";

const inBoth = z.strictObject({ es: z.string().min(1).max(400), en: z.string().min(1).max(400) });
const schema = z.array(z.strictObject({ date: z.iso.date(), title: inBoth, text: inBoth })).max(20);

/** The entries of "What's new", newest first: the operator's, or ours. */
export async function readNews(file: string | undefined): Promise<NewsEntry[]> {
  if (!file) return ownNews;
  try {
    const entries = schema.parse(JSON.parse(await readFile(file, "utf8")));
    return entries.toSorted((a, b) => b.date.localeCompare(a.date));
  } catch (error) {
    throw new ConfigError(
      `NEWS_FILE=${file} must be a JSON list of {"date": "2026-01-31", "title": {"es": "…", "en": "…"}, "text": {"es": "…", "en": "…"}}: ${error instanceof Error ? error.message : error}`,
    );
  }
}

const ownNews: NewsEntry[] = [
  {
    date: "2025-10-30",
    title: { es: "Modo oscuro", en: "Dark mode" },
    text: {
      es: "El panel sigue el tema de tu sistema, o el que elijas.",
      en: "The dashboard follows your system's theme, or the one you choose.",
    },
  },
  {
    date: "2025-01-17",
    title: { es: "Dominios del proyecto", en: "Project domains" },
    text: { es: "Añade tu propio dominio a cualquier proyecto.", en: "Add your own domain to any project." },
  },
  {
    date: "2025-01-13",
    title: { es: "Ajustes de usuario", en: "User settings" },
    text: {
      es: "Tus datos, tu idioma y tu contraseña, en un solo lugar.",
      en: "Your details, language and password, in one place.",
    },
  },
  {
    date: "2025-01-05",
    title: { es: "Sitios WordPress", en: "WordPress sites" },
    text: {
      es: "Crea un WordPress listo para usar en unos segundos.",
      en: "Create a WordPress site, ready to use in seconds.",
    },
  },
];
