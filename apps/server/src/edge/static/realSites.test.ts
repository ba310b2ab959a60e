import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { settings, start } from "@nido/test-kit/product";
import { openSeed } from "@nido/test-kit/seed";
import { LinkChecker, LinkState } from "linkinator";
import sirv from "sirv";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";

const run = promisify(execFile);
const program = join(import.meta.dirname, "../../../../cli/dist/nido.cjs");

interface Generator {
  packages: Record<string, string>;
  build: string;
  files: Record<string, string>;
  /** where it writes the site */
  folder: string;
}

const picture = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4" cy="4" r="4"/></svg>';
const post = (title: string) => `---\ntitle: ${title}\n---\n\n# ${title}\n\n[Home](/) · [About](/about)\n`;

const generators: Record<string, Generator> = {
  vite: {
    packages: { vite: "8.3.8" },
    build: "vite build",
    files: {
      "vite.config.js": `export default { build: { rolldownOptions: { input: ["index.html", "about.html"] } } };`,
      "index.html": `<title>Home</title><script type="module" src="/main.js"></script><a href="/about.html">About</a>`,
      "about.html": `<title>About</title><script type="module" src="/main.js"></script><a href="/">Home</a><img src="/mark.svg">`,
      "main.js": `import "./look.css"; import("./later.js").then(({ later }) => later());`,
      "later.js": "export const later = () => document.body.append('later');",
      "look.css": "body { background: url(./paper.svg) }",
      "paper.svg": picture.repeat(200),
      "public/mark.svg": picture,
    },
    folder: "dist",
  },
  astro: {
    packages: { astro: "7.3.5" },
    build: "astro build",
    files: {
      "src/pages/index.astro": `<html><head><title>Home</title></head><body><a href="/about">About</a> <a href="/blog/two/">Two</a> <img src="/días y noches.svg" /></body></html>`,
      "src/pages/about.astro": `<html><head><title>About</title></head><body><a href="/">Home</a><style>a { color: teal }</style></body></html>`,
      "src/pages/blog/[slug].astro": `---
export const getStaticPaths = () => ["one", "two"].map((slug) => ({ params: { slug } }));
const { slug } = Astro.params;
---
<html><head><title>{slug}</title></head><body><a href="/blog/one">One</a> <a href="../two/">Two</a></body></html>`,
      "public/días y noches.svg": picture,
    },
    folder: "dist",
  },
  vitepress: {
    packages: { vitepress: "1.6.4" },
    build: "vitepress build docs",
    files: {
      "docs/index.md": "# Home\n\n[Guide](./guide/start) and [About](./about.md)\n",
      "docs/about.md": "# About\n\n[Home](/)\n\n![mark](/mark.svg)\n",
      "docs/guide/start.md": "# Start\n\n[Next](./next.md#more)\n",
      "docs/guide/next.md": "# Next\n\n## More\n\n[Back](start)\n",
      "docs/public/mark.svg": picture,
    },
    folder: "docs/.vitepress/dist",
  },
  eleventy: {
    packages: { "@11ty/eleventy": "3.1.2" },
    build: "eleventy",
    files: {
      "eleventy.config.js": `module.exports = (config) => config.addPassthroughCopy("mark.svg");`,
      "index.md": "---\ntitle: Home\n---\n\n[About](/about/) [One](/posts/one/) [Two](/posts/two) ![mark](/mark.svg)\n",
      "about.md": post("About"),
      "posts/one.md": post("One"),
      "posts/two.md": post("Two"),
      "mark.svg": picture,
    },
    folder: "_site",
  },
  next: {
    packages: { next: "16.4.6", react: "19.3.1", "react-dom": "19.3.1" },
    build: "next build",
    files: {
      "next.config.mjs": `export default { output: "export" };`,
      "app/layout.js": `import "./look.css"; export default function Layout({ children }) { return <html lang="en"><body>{children}</body></html>; }`,
      "app/page.js": `import Link from "next/link"; export default function Page() { return <><Link href="/about">About</Link> <Link href="/blog/one">One</Link></>; }`,
      "app/about/page.js": `export default function Page() { return <><a href="/">Home</a><img src="/mark.svg" alt="" /></>; }`,
      "app/blog/[slug]/page.js": `export const generateStaticParams = () => [{ slug: "one" }, { slug: "two" }];
export default async function Page({ params }) { const { slug } = await params; return <><h1>{slug}</h1><a href="/blog/two">Two</a></>; }`,
      "app/look.css": "body { color: teal }",
      "public/mark.svg": picture,
    },
    folder: "out",
  },
};

const names = process.env["NIDO_TEST_GENERATORS"] ? Object.keys(generators) : [];
if (names.length === 0)
  console.log("Skipped: sites of five generators, which takes minutes to install and build: npm run test:long");

describe.runIf(names.length > 0)("a site that a generator made", () => {
  beforeAll(() => Object.assign(process.env, { ASTRO_TELEMETRY_DISABLED: "1", NEXT_TELEMETRY_DISABLED: "1" }));

  test.each(names)("%s: built and published by the tool, no link is broken that sirv does not have", async (name) => {
    const { packages, build, files, folder } = generators[name] as Generator;
    const work = mkdtempSync(join(tmpdir(), `nido-${name}-`));
    onTestFinished(() => rmSync(work, { recursive: true, force: true }));
    write(work, { ...files, "package.json": JSON.stringify({ scripts: { build }, dependencies: packages }) });
    await run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: work });

    const { env, port, dataDir } = await settings();
    await start({ env });
    const database = `postgres://nido@/nido?host=${encodeURIComponent(join(dataDir, "run"))}`;
    const seed = await openSeed(database, "demo@nido.example");
    onTestFinished(() => seed.close());
    const project = `site${name}`;
    await seed.addProject(project, { recipe: "static_starter" });
    const token = await seed.giveToken();
    const args = [program, "publish", "--build", "--yes", "--project", project];
    const own = { ...process.env, HOME: work, NIDO_TOKEN: token, NIDO_SERVER: `http://localhost:${port}` };
    const { stderr } = await run(process.execPath, args, { cwd: work, env: own });
    expect(stderr).toMatch(/archivos|files/);

    const host = `${project}.localhost:${port}`;
    const ours = await crawl((visit, answer) => {
      const options = { port, path: visit.url, method: visit.method, headers: { ...visit.headers, host } };
      visit.pipe(
        request(options, (response) => {
          answer.writeHead(response.statusCode ?? 0, response.headers);
          response.pipe(answer);
        }),
      );
    });
    const theirs = await crawl(sirv(join(work, folder), { extensions: ["html"] }));
    expect(ours.visited.length).toBeGreaterThan(3);
    expect(ours.visited).toEqual(
      expect.arrayContaining(theirs.visited.filter((path) => !theirs.broken.includes(path))),
    );
    expect(ours.broken.filter((path) => !theirs.broken.includes(path))).toEqual([]);
  });
});

function write(folder: string, files: Record<string, string>) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** The paths of all links below the home page, and those that lead nowhere. */
async function crawl(listener: RequestListener) {
  const server = createServer(listener).listen(0, "localhost");
  await once(server, "listening");
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  const { links } = await new LinkChecker().check({ path: origin, recurse: true });
  server.close();
  server.closeAllConnections();
  const internal = links.filter(({ url }) => url.startsWith(origin));
  const paths = (found: typeof links) => [...new Set(found.map(({ url }) => url.slice(origin.length)))];
  return { visited: paths(internal), broken: paths(internal.filter(({ state }) => state === LinkState.BROKEN)) };
}
