import { expect, test } from "vitest";
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
])("%s may change", (path) => expect(isFingerprinted(path)).toBe(false));
