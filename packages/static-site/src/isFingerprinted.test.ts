import { describe, expect, test } from "vitest";
import { isFingerprinted } from "./isFingerprinted.ts";

test.each([
  // Vite
  "assets/index-BuRVDcv1.js",
  "assets/index-D-x3Kf_2.js",
  "assets/index-DxKfAbQz.css",
  "assets/logo-DkRwTmZs.svg",
  "assets/inter-latin-400-normal-C38fXH4l.woff2",
  "sub/assets/vendor-1aB2cD3e.js",
  // VitePress
  "assets/app.X1sKzkcq.js",
  "assets/chunks/framework.DPuwY6B9.js",
  "assets/guide_index.md.CzPKkhTR.lean.js",
  "assets/guide_index.md.CzPKkhTR.js",
  "assets/style.BqVzT3qL.css",
  // Astro, SvelteKit, Nuxt
  "_astro/page.Bx3kD_9f.js",
  "_astro/hero.abcdefgh_ZmQxs.webp",
  "_app/immutable/entry/start.js",
  "_app/immutable/nodes/0.CqXqZ1aB.js",
  "_nuxt/DlAUqK2U.js",
  "_nuxt/entry.Cd83kQmZ.css",
  // Next
  "_next/static/chunks/4bd1b696-182b6b13bdad92e3.js",
  "_next/static/chunks/main-app-5a1b2c3d4e5f6071.js",
  "_next/static/chunks/webpack.js",
  "_next/static/css/3f2a1b4c5d6e7f80.css",
  "_next/static/media/4cf2300e9c8272f7-s.p.woff2",
  "_next/static/q1w2e3r4t5y6/_buildManifest.js",
  "docs/_next/static/chunks/app.js",
  // webpack, Parcel, Create React App, Docusaurus, Hugo, esbuild and Angular
  "main.3f2a1b4c.js",
  "index.4f3a1b2c.css",
  "static/js/main.1a2b3c4d.js",
  "static/media/logo.6ce24c58023cc2f8fd88fe9d219db6c6.svg",
  "assets/js/runtime~main.9f8e7d6c.js",
  "css/main.min.2b1f0c3d4e5f60718293a4b5c6d7e8f92b1f0c3d4e5f60718293a4b5c6d7e8f9.css",
  "main-5VQ2KZ4N.js",
  "styles-5INURTSO.css",
  "chunk-ABCDEFGH.js",
  "es/main-VERSION2.js",
  "media/inter-ABCDEFGH.woff2",
  "static/js/main.48291034.js",
  // Rollup
  "app-Ab12Cd34.js",
])("%s never changes", (path) => expect(isFingerprinted(path)).toBe(true));

test.each([
  "index.html",
  "hero-Summer2026.jpg",
  "images/hero-Summer2026.jpg",
  "assets/hero-Holidays.jpg",
  "assets/photo-december.jpg",
  "assets/report-20260101.png",
  "assets/team_photo.jpg",
  "assets/big-sunrise-over-lake.jpg",
  "assets/DSC_1234.jpg",
  "assets/IMG_2041.jpg",
  "assets/main.js",
  "assets/version2.js",
  "assets/og-1200x630.png",
  "assets/1024x768.jpg",
  "assets/b2b-hero.jpg",
  "assets/iPhone15.png",
  "assets/icon-GitHub24.svg",
  "assets/css/main-no1.css",
  "assets/vue3prod.js",
  "assets/a11y-v11.js",
  "static/js/jquery2x.js",
  "js/jquery-3.7.1.min.js",
  "js/bootstrap.bundle.js",
  "js/app-VERSION2.js",
  "js/jquery-UiTheme1.js",
  "js/app-release1.js",
  "deadbeef.js",
  "images/sea-2026cafe.jpg",
  "report-20260101.pdf",
  "files/contract-3f2a1b4c.pdf",
  "data-3f2a1b4c.json",
  "fonts/Inter-SemiBold.woff2",
  "_nuxt/builds/latest.json",
  "static/js/main.20260101.js",
  "js/app.31122026.js",
  "media/hero-Holidays.jpg",
  "media/2026/photo-20260101.jpg",
  "styles-Printing.css",
  "home-VERSION2.js",
  ...`boda-DSC00012.jpg boda-DSCN0012.jpg foto-DSCF1234.jpg plan-Q1FY2025.png team-JDoe2024.jpg logo-HTML5CSS.svg
    logo-RGB_300d.png hero-2024v02a.jpg x-HOLIDAYS.png clip-GOPR1234.mp4 photo.48291034.jpg`
    .split(/\s+/)
    .flatMap((name) => [`assets/${name}`, `media/${name}`]),
  ...`Holidays december Birthday worldmap portrait VERSION2 GitHub24 1200x630 20260101 01-15-24 UiTheme1 SemiBold icon-big
    arrow-up over-sea og_image team-pho of-a-cat NewYears MacBook1 OldPhoto LogoDark IconHome AboutUs2 LinkedIn v2-final
    step2-v2 3d-model 404-page MyPhotos Xmas2026 May-2026 WhatsApp YouTube1 Facebook iPhone15 DSC_1234 IMG-2041 NetWorks
    Madrid24 Untitled DarkMode`
    .split(/\s+/)
    .flatMap((name) => [`assets/hero-${name}.jpg`, `assets/hero-${name}.css`]),
])("%s may change", (path) => expect(isFingerprinted(path)).toBe(false));

describe("random digests are recognised", () => {
  const [capitals, small, decimals] = ["ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz", "0123456789"];
  const base64 = `${capitals}${small}${decimals}-_`;
  const base32 = `${capitals}234567`;
  const hexadecimal = `${decimals}abcdef`;

  test.each<[generator: string, alphabet: string, length: number, names: string[], missedAtMost?: number]>([
    ["Vite", base64, 8, ["assets/index-#.js", "assets/index-#.css", "base/assets/inter-#.ttf"]],
    ["VitePress", base64, 8, ["assets/app.#.js", "assets/guide_a.md.#.lean.js", "assets/chunks/theme.#.js"]],
    ["Astro", base64, 8, ["_astro/page.#.js", "_astro/hero.#_Z1abc.webp"]],
    ["SvelteKit", base64, 8, ["_app/immutable/chunks/#.js", "_app/immutable/nodes/0.#.js"]],
    ["Nuxt", base64, 8, ["_nuxt/#.js", "_nuxt/entry.#.css", "base/_nuxt/logo.#.png"]],
    // Of pictures, only names that neither people nor cameras give: four of five of Vite's, and none of Angular's.
    ["Vite, for pictures", base64, 8, ["assets/logo-#.svg", "base/assets/hero-#.webp"], 0.2],
    ["Create React App, for pictures", hexadecimal, 8, ["static/media/logo.#.svg"], 0.03],
    ["Angular", base32, 8, ["main-#.js", "chunk-#.js", "styles-#.css", "en/polyfills-#.js", "media/inter-#.woff2"]],
    ["Create React App", hexadecimal, 8, ["static/js/main.#.js", "static/css/main.#.chunk.css"]],
    ["Parcel", hexadecimal, 8, ["index.#.js", "index.#.css"]],
    ["webpack", hexadecimal, 20, ["main.#.js", "img/logo.#.png"]],
    ["Next", hexadecimal, 16, ["_next/static/chunks/main-#.js"]],
  ])("of %s", (_, alphabet, length, names, missedAtMost = 0.01) => {
    const next = randomNumbers(1);
    const digest = () => Array.from({ length }, () => alphabet[next(alphabet.length)]).join("");
    const paths = Array.from({ length: 2000 }, (_, index) =>
      (names[index % names.length] ?? "").replace("#", digest()),
    );
    const missed = paths.filter((path) => !isFingerprinted(path));
    expect(missed.length, missed.join(" ")).toBeLessThanOrEqual(paths.length * missedAtMost);
  });
});

/** Park and Miller's generator: the same numbers each time. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}
