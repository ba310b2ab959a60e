/** The HTML of a stand-in's page. Its plain look in the browser's colours avoids confusion with the real service. */
export function page(lang: "es" | "en", title: string, body: string): string {
  return `<!doctype html>
<html lang="${lang}">
<meta charset="utf-8">
<link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 24rem; margin: 8vh auto; padding: 0 1rem; }
  body:has(.wide) { max-width: 60rem; }
  h1 { font-size: 1.4rem; margin: 0; }
  h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
  p { opacity: .8; margin: .25rem 0 1.5rem; }
  .person { display: flex; flex-direction: column; width: 100%; text-align: left; margin-bottom: .5rem; }
  .due { font-size: 2rem; font-weight: 650; opacity: 1; margin: 1rem 0 0; }
  .fault { color: light-dark(#b00020, #ff8a8a); opacity: 1; font-weight: 600; }
  button, .button, input:not([type=checkbox]) { font: inherit; padding: .6rem .8rem; border: 1px solid GrayText; border-radius: .5rem; background: Canvas; color: CanvasText; width: 100%; box-sizing: border-box; }
  button { cursor: pointer; margin-bottom: .5rem; }
  button.main { background: CanvasText; color: Canvas; }
  .button { display: block; text-align: center; text-decoration: none; }
  table { border-collapse: collapse; width: 100%; }
  td, th { text-align: left; padding: .4rem .5rem .4rem 0; border-bottom: 1px solid GrayText; vertical-align: top; }
  td.number, th.number { text-align: right; }
  td button { width: auto; margin: 0 .25rem .25rem 0; padding: .2rem .6rem; }
  fieldset { border: 0; padding: 0; margin: 1.5rem 0 0; }
  legend { font-weight: 600; }
  label { display: block; margin: .6rem 0; }
  small { opacity: .7; overflow-wrap: anywhere; }
</style>
<h1>${escapeHtml(title)}</h1>
${body}
</html>`;
}

export function escapeHtml(text: unknown): string {
  return String(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
