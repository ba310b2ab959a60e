import { page } from "../page.ts";
import type { Identity } from "./identities.ts";

const texts = {
  es: {
    title: "Elige una cuenta",
    about: "Esta página hace de Google en tu máquina. Nadie comprueba nada: sé quien quieras.",
    other: "O escribe otra",
    email: "Correo",
    givenName: "Nombre",
    familyName: "Apellidos",
    verified: "Google ha verificado este correo",
    go: "Continuar",
    cancel: "Cancelar",
  },
  en: {
    title: "Choose an account",
    about: "This page stands in for Google on your machine. Nothing is checked: be whoever you like.",
    other: "Or type another",
    email: "E-mail",
    givenName: "First name",
    familyName: "Last name",
    verified: "Google has verified this e-mail",
    go: "Continue",
    cancel: "Cancel",
  },
};

export function accountPage(people: Identity[], locale: string): string {
  const lang = locale.startsWith("en") ? "en" : "es";
  const t = texts[lang];
  const choices = people.map(
    ({ email, givenName, familyName }, index) =>
      `<button class="person" name="person" value="${index}"><b>${givenName} ${familyName}</b><span>${email}</span></button>`,
  );
  return page(
    lang,
    t.title,
    `<p>${t.about}</p>
<form method="post">${choices.join("\n")}</form>
<form method="post">
  <fieldset>
    <legend>${t.other}</legend>
    <label>${t.email}<input name="email" type="email" required></label>
    <label>${t.givenName}<input name="given_name"></label>
    <label>${t.familyName}<input name="family_name"></label>
    <label><input name="verified" type="checkbox" checked> ${t.verified}</label>
    <button>${t.go}</button>
  </fieldset>
</form>
<form method="post"><p><button name="answer" value="cancel">${t.cancel}</button></p></form>`,
  );
}
