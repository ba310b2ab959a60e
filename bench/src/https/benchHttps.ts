import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { freePort } from "@nido/test-kit/freePort";
import { openSeed } from "@nido/test-kit/seed";
import type { Report } from "../Benchmark.ts";
import { assertComparable } from "../load/assertComparable.ts";
import { compareInRounds } from "../load/compareInRounds.ts";
import { getAnswer } from "../load/getAnswer.ts";
import { loadWithH2load } from "../load/loadWithH2load.ts";
import { loadWithWrk } from "../load/loadWithWrk.ts";
import type { Page, Server } from "../load/Server.ts";
import { waitForAnswer } from "../load/waitForAnswer.ts";
import { makeWorkFolder } from "../makeWorkFolder.ts";
import { startStaticProduct } from "../product/startStaticProduct.ts";
import { precompress, writeSite } from "../static/writeSite.ts";
import { type CertificateFiles, createCertificate } from "./createCertificate.ts";
import { startTlsCaddy, startTlsNginx, tlsServer } from "./startTlsPeers.ts";

const [rounds, connections] = [5, 64];
const html: Page = { path: "/article", encoding: "gzip" };
const peersHtml: Page = { path: "/article.html", encoding: "gzip" };
const home: Page = { path: "/", encoding: "gzip" };
const peersPages = new Map([
  [html, peersHtml],
  [home, { path: "/home.html", encoding: "gzip" } satisfies Page],
]);
const image: Page = { path: "/image.jpg" };

/** The same files from Nido, nginx and Caddy, over HTTP/1.1 and HTTP/2. */
export async function benchHttps(report: Report) {
  await using cleanups = new AsyncDisposableStack();
  const folder = makeWorkFolder(cleanups);
  const certificate = createCertificate(folder);
  const { ours, blog } = await publishSites(cleanups, folder, certificate);
  const site = join(folder, "peerSite");
  cpSync(join(folder, "site"), site, { recursive: true });
  precompress(site);
  // The peers have the home page of WordPress as a file, compressed as Nido's cache compresses it.
  writeFileSync(join(site, "home.html"), (await getAnswer(blog, { path: "/" })).body);
  writeFileSync(join(site, "home.html.gz"), (await getAnswer(blog, home)).body);
  const peers = [
    await startTlsNginx(cleanups, { folder, site, certificate }),
    await startTlsCaddy(cleanups, { folder, site, certificate }),
  ];
  for (const peer of peers) await waitForAnswer(peer, peersHtml);
  await assertComparable(ours, peers, image, 1);

  const compare = (name: string, load: (server: Server, page: Page) => Promise<number>, page: Page) => {
    const own = page === home ? blog : ours;
    // Nido serves article.html without its extension, and redirects there.
    const pageOf = (server: Server) => (server === own ? page : (peersPages.get(page) ?? page));
    return compareInRounds({ name, ours: own, peers, rounds, load: (server) => load(server, pageOf(server)) }, report);
  };
  const http1 = (server: Server, page: Page) => loadWithWrk(server, page, connections);
  const http2 = (server: Server, page: Page) => loadWithH2load(server, page, connections);
  const handshakes = (server: Server, page: Page) => loadWithWrk(server, page, connections, { Connection: "close" });
  await compare("HTTP/1.1, 10 kB of gzipped HTML", http1, html);
  await compare("HTTP/1.1, 300 kB image", http1, image);
  await compare("HTTP/2, 10 kB of gzipped HTML", http2, html);
  await compare("HTTP/2, 300 kB image", http2, image);
  await compare("HTTP/1.1, cached WordPress page", http1, home);
  await compare("HTTP/2, cached WordPress page", http2, home);
  await compare("new connections, one request each", handshakes, html);
}

async function publishSites(cleanups: AsyncDisposableStack, folder: string, { chain, key }: CertificateFiles) {
  const site = join(folder, "site");
  writeSite(site);
  const httpsPort = await freePort();
  // The machine's own authorities, too: the product fetches WordPress.
  const trusted = join(folder, "trusted.pem");
  const { NODE_EXTRA_CA_CERTS: own } = process.env;
  writeFileSync(trusted, [chain, ...(own ? [own] : [])].map((file) => readFileSync(file, "utf8")).join("\n"));
  const { hostname, publish, databaseUrl } = await startStaticProduct(cleanups, folder, {
    PROCESSES: String(availableParallelism()),
    HTTPS_PORT: String(httpsPort),
    APP_URL: `https://localhost:${httpsPort}`,
    CERTIFICATE_FILES: `${chain}:${key}`,
    ENCRYPTION_KEY: "a key for this benchmark on this machine",
    NODE_EXTRA_CA_CERTS: trusted,
  });
  await publish(site);
  const ours = tlsServer(httpsPort, "Nido", hostname);
  // A job compresses the files after the deploy is live.
  await waitForAnswer(ours, html);
  const seed = await openSeed(databaseUrl, "demo@nido.example");
  await seed.makeWordPress("benchblog");
  await seed.close();
  const blog = tlsServer(httpsPort, "Nido", "benchblog.localhost");
  await waitForAnswer(blog, home);
  return { ours, blog };
}
