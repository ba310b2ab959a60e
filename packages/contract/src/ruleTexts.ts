import type { Language } from "./languages.ts";
import type { RuleFaultReason } from "./redirects.ts";

/** Rules that are followed all the same, to an error. */
export const errorReasons: ReadonlySet<RuleFaultReason> = new Set<RuleFaultReason>(["cycle", "missing"]);
/** Rules that are followed all the same, as they are written. */
export const literalReasons: ReadonlySet<RuleFaultReason> = new Set<RuleFaultReason>(["star", "unknown", "twice"]);

/** Why a line of `_redirects` or `_headers` is not followed or does not do what it says, and what to write instead. */
export const ruleTexts: Record<Language, Record<RuleFaultReason, string>> = {
  es: {
    unreadable: "Empieza por una ruta de tu sitio, como «/blog/*».",
    absolute: "Escribe solo la ruta, sin el dominio: las reglas valen para todos los dominios del sitio.",
    stars: "Usa un solo «*» por ruta.",
    placeholders: "Usa un solo marcador, como «:id», entre dos barras, y ninguno junto a un «*».",
    query: "Escribe los parámetros como «?id=:id» o «?id=7».",
    target: "Escribe como destino una ruta como «/nueva» o una dirección como «https://example.com/».",
    star: "En el destino, escribe «:splat» por lo que representa el «*» de la ruta, y «%2A» si quieres un asterisco.",
    unknown: "El destino usa un marcador que no está en la ruta. Escribe el mismo en los dos, como «/u/:id /user/:id».",
    twice: "Usa cada marcador y cada parámetro una sola vez por regla («:splat» es el «*»).",
    slashes:
      "Escribe la ruta sin «//», «/./» ni «/../»: las peticiones que los llevan se redirigen antes a la ruta sin ellos.",
    status: "Usa el código 301, 302, 303, 307, 308, 200 o 404.",
    proxy: "No mostramos otros sitios con tu dirección. Usa 301 o 302 para enviar allí a las visitas.",
    host: "El dominio del destino no puede contener marcadores como «:splat».",
    own: "Las rutas de WordPress, como «/wp-admin», no se redirigen.",
    condition: "No hay condiciones por país, idioma, rol ni cookie. Quita lo que va después del código.",
    header: "Esta cabecera la pone el servidor.",
    name: "Antes de los dos puntos va el nombre de una cabecera, sin espacios ni acentos, como «X-Frame-Options».",
    value:
      "El valor no puede tener acentos, «ñ» ni otros signos fuera de ASCII. Escríbelos codificados, como «%C3%B1» por «ñ».",
    "no path": "Escribe encima de esta línea la ruta que lleva la cabecera, como «/*».",
    "no headers":
      "Debajo de la ruta no hay cabeceras. Escribe cada una en su línea, como «X-Frame-Options: DENY»; si son para varias rutas, repítelas debajo de cada ruta.",
    "no colon": "Escribe las cabeceras como «Nombre: valor», y empieza las rutas por «/».",
    "no value": "Falta el valor detrás de los dos puntos.",
    "not set": "Ninguna regla anterior pone esta cabecera, así que no hay nada que quitar.",
    password: "Aquí no se ponen contraseñas: hazlo en el panel o con «nido protect». La página queda abierta.",
    loop: "Lleva de vuelta a la misma página: ni «.html» ni la barra del final cambian nada. Quita la regla.",
    cycle: "Lleva en círculo de una dirección a otra, hasta que el navegador se rinde. Cambia el destino.",
    duplicate: "Una regla anterior vale para las mismas rutas. Quita una de las dos, o pon antes la más concreta.",
    shadowed: "En esa ruta hay un archivo, que va primero. Añade «!» al código, como «301!», para que valga la regla.",
    missing: "En el destino no hay nada. Escribe la dirección de una página o de un archivo del sitio.",
    long: "La línea tiene más de 2000 caracteres.",
    "too many": "Solo se tienen en cuenta las primeras 1000 reglas. Une varias con «*» o «:id».",
  },
  en: {
    unreadable: "Start with a path of your site, such as “/blog/*”.",
    absolute: "Write only the path, without the domain: rules apply to all domains of the site.",
    stars: "Use only one “*” in a path.",
    placeholders: "Use only one placeholder, such as “:id”, between two slashes, and none next to a “*”.",
    query: "Write parameters as “?id=:id” or “?id=7”.",
    target: "As the target, write a path such as “/new”, or an address such as “https://example.com/”.",
    star: "In the target, write “:splat” for what the “*” of the path stands for, or “%2A” if you want a star.",
    unknown:
      "The target uses a placeholder that isn't in the path. Write the same in both, such as “/u/:id /user/:id”.",
    twice: "Use each placeholder and each parameter once in a rule (“:splat” is the “*”).",
    slashes:
      "Write the path without “//”, “/./” or “/../”: requests with these are first redirected to the path without them.",
    status: "Use the code 301, 302, 303, 307, 308, 200 or 404.",
    proxy: "We don't show other sites at your address. Use 301 or 302 to send visitors there.",
    host: "The domain of the target can't contain placeholders such as “:splat”.",
    own: "WordPress's own paths, such as “/wp-admin”, are not redirected.",
    condition: "There are no conditions by country, language, role or cookie. Remove what comes after the code.",
    header: "This header is set by the server.",
    name: "Before the colon goes the name of a header, without spaces or accents, such as “X-Frame-Options”.",
    value:
      "A value may only have ASCII letters, digits and signs. Write the rest percent-encoded, such as “%C3%B1” for “ñ”.",
    "no path": "Above this line, write the path that gets the header, such as “/*”.",
    "no headers":
      "There are no headers below the path. Write each on its own line, such as “X-Frame-Options: DENY”; if they are for several paths, repeat them below each path.",
    "no colon": "Write headers as “Name: value”, and begin paths with “/”.",
    "no value": "The value is missing after the colon.",
    "not set": "No earlier rule sets this header, so there is nothing to remove.",
    password: "Passwords aren't set here, but in the dashboard or with “nido protect”. The page is open.",
    loop: "It leads back to the same page: neither “.html” nor a slash at the end makes a difference. Remove the rule.",
    cycle: "It leads round in circles, until the browser gives up. Change the target.",
    duplicate: "An earlier rule applies to the same paths. Remove one of them, or put the narrower one first.",
    shadowed:
      "There is a file at that path, which comes first. Add “!” to the code, such as “301!”, if the rule is to win.",
    missing: "There is nothing at the target. Write the address of a page or a file of the site.",
    long: "The line has more than 2000 characters.",
    "too many": "Only the first 1000 rules are used. Combine some with “*” or “:id”.",
  },
};
