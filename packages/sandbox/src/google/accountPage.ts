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
  return `<!doctype html>
<html lang="${lang}">
<meta charset="utf-8">
<link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width">
<title>${t.title}</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 24rem; margin: 8vh auto; padding: 0 1rem; }
  h1 { font-size: 1.4rem; margin: 0; }
  p { opacity: .8; margin: .25rem 0 1.5rem; }
  .person { display: flex; flex-direction: column; width: 100%; text-align: left; margin-bottom: .5rem; }
  button, input:not([type=checkbox]) { font: inherit; padding: .6rem .8rem; border: 1px solid GrayText; border-radius: .5rem; background: Canvas; color: CanvasText; width: 100%; box-sizing: border-box; }
  button { cursor: pointer; }
  fieldset { border: 0; padding: 0; margin: 1.5rem 0 0; }
  legend { font-weight: 600; }
  label { display: block; margin: .6rem 0; }
</style>
<h1>${t.title}</h1>
<p>${t.about}</p>
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
<form method="post"><p><button name="answer" value="cancel">${t.cancel}</button></p></form>
</html>`;
}
