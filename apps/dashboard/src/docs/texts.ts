import type { Language } from "@nido/contract";

const es = {
  title: "Documentación",
  home: (brand: string) => `${brand}: ir a tu panel`,
  panel: "Tu panel",
  contents: "Índice",
  onThisPage: "En esta página",
  search: "Buscar en la documentación",
  searchHint: "Buscar…",
  found: "Resultados",
  results: (count: number) => (count === 1 ? "1 resultado" : `${count} resultados`),
  nothing: "Nada coincide con la búsqueda. Prueba con otra palabra o escríbenos.",
  other: "English",
  light: "Cambiar al tema claro",
  dark: "Cambiar al tema oscuro",
  previous: "Anterior",
  next: "Siguiente",
  skip: "Saltar al contenido",
  missing: "Esta página no existe",
  missingText: "Puede que haya cambiado de sitio. Búscala en el índice.",
};

const en: typeof es = {
  title: "Documentation",
  home: (brand) => `${brand}: go to your dashboard`,
  panel: "Your dashboard",
  contents: "Contents",
  onThisPage: "On this page",
  search: "Search the documentation",
  searchHint: "Search…",
  found: "Results",
  results: (count) => (count === 1 ? "1 result" : `${count} results`),
  nothing: "Nothing matches. Try another word, or write to us.",
  other: "Español",
  light: "Switch to the light theme",
  dark: "Switch to the dark theme",
  previous: "Previous",
  next: "Next",
  skip: "Skip to the content",
  missing: "This page doesn't exist",
  missingText: "It may have moved. Look for it in the contents.",
};

/** The frame's texts are in the language of the page's address, which may not be the dashboard's. */
export const docTexts: Record<Language, typeof es> = { es, en };
