import type { Language } from "./languages.ts";
import type { RuleFaultReason } from "./redirects.ts";

/** Why a line of `_redirects` or `_headers` is not followed, and what to write instead. */
export const ruleTexts: Record<Language, Record<RuleFaultReason, string>> = {
  es: {
    unreadable: "Empieza por una ruta de tu sitio, como «/blog/*».",
    absolute: "Escribe solo la ruta, sin el dominio: las reglas valen para todos los dominios del sitio.",
    stars: "Usa un solo «*» por ruta.",
    placeholders: "Usa un solo marcador, como «:id», entre dos barras, y ninguno junto a un «*».",
    query: "Escribe los parámetros como «?id=:id» o «?id=7».",
    target: "Falta el destino: una ruta como «/nueva» o una dirección como «https://example.com/».",
    status: "Usa el código 301, 302, 303, 307, 308, 200 o 404.",
    proxy: "No mostramos otros sitios con tu dirección. Usa 301 o 302 para enviar allí a las visitas.",
    host: "El dominio del destino no puede contener marcadores como «:splat».",
    own: "Las rutas de WordPress, como «/wp-admin», no se redirigen.",
    condition: "No hay condiciones por país, idioma, rol ni cookie. Quita lo que va después del código.",
    header: "Esta cabecera la pone el servidor.",
    password: "Aquí no se ponen contraseñas: hazlo en el panel o con «nido protect». La página queda abierta.",
    loop: "Lleva de vuelta a la misma página, porque las páginas se muestran sin «.html».",
    long: "La línea tiene más de 2000 caracteres.",
    "too many": "Solo se tienen en cuenta las primeras 1000 reglas. Une varias con «*» o «:id».",
  },
  en: {
    unreadable: "Start with a path of your site, such as “/blog/*”.",
    absolute: "Write only the path, without the domain: rules apply to all domains of the site.",
    stars: "Use only one “*” in a path.",
    placeholders: "Use only one placeholder, such as “:id”, between two slashes, and none next to a “*”.",
    query: "Write parameters as “?id=:id” or “?id=7”.",
    target: "The target is missing: a path such as “/new”, or an address such as “https://example.com/”.",
    status: "Use the code 301, 302, 303, 307, 308, 200 or 404.",
    proxy: "We don't show other sites at your address. Use 301 or 302 to send visitors there.",
    host: "The domain of the target can't contain placeholders such as “:splat”.",
    own: "WordPress's own paths, such as “/wp-admin”, are not redirected.",
    condition: "There are no conditions by country, language, role or cookie. Remove what comes after the code.",
    header: "This header is set by the server.",
    password: "Passwords aren't set here, but in the dashboard or with “nido protect”. The page is open.",
    loop: "It leads back to the same page, because pages are shown without “.html”.",
    long: "The line has more than 2000 characters.",
    "too many": "Only the first 1000 rules are used. Combine some with “*” or “:id”.",
  },
};
