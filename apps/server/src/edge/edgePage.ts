import type { Language } from "@nido/contract";

/** A page of the edge itself, in the style of the dashboard. `title` and `body` are HTML. */
export function edgePage({ lang, title, body }: { lang: Language; title: string; body: string }): string {
  return `<!doctype html>
<html lang="${lang}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>
  :root { color-scheme: light dark; font: 17px/1.6 ui-sans-serif, system-ui, sans-serif; }
  body { min-height: 100vh; margin: 0; display: grid; place-content: center; text-align: center; padding: 0 24px;
    box-sizing: border-box; background: light-dark(#faf8f5, #171512); color: light-dark(#1f1b16, #f3efe8); }
  h1 { font-size: 1.7rem; letter-spacing: -.02em; margin: 0 0 .5rem; overflow-wrap: anywhere; }
  p { margin: 0 auto 1.5rem; max-width: 30rem; color: light-dark(#5d554a, #b5ab9c); }
  a { color: inherit; }
  input, button { font: inherit; padding: .4rem .8rem; border-radius: .6rem; border: 1px solid light-dark(#b9b0a3, #5d554a); }
  button { cursor: pointer; border: 0; background: light-dark(#1f1b16, #f3efe8); color: light-dark(#faf8f5, #171512); }
  [role="alert"] { color: light-dark(#b3261e, #ff8a7d); }
  small { color: light-dark(#756c60, #948b7e); }
</style>
<main><h1>${title}</h1>${body}</main>
</html>`;
}
