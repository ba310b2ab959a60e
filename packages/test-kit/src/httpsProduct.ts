import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startAcmeProxy } from "./acmeProxy.ts";
import { startAcmeServer } from "./acmeServer.ts";
import { createDatabase } from "./database.ts";
import { freePort } from "./freePort.ts";
import { httpsGet } from "./httpsGet.ts";
import type { NameServer } from "./nameServer.ts";
import { start } from "./product.ts";
import { openSeed } from "./seed.ts";

interface Options {
  names: NameServer;
  settings?: Record<string, string>;
  authority?: Partial<Parameters<typeof startAcmeServer>[0]>;
  /** the product reaches the authority through `proxy` */
  isProxied?: boolean;
}

/** The product that speaks HTTPS itself, with pebble as its certificate authority. */
export async function startHttpsProduct({ names, settings = {}, authority = {}, isProxied = false }: Options) {
  const folder = mkdtempSync(join(tmpdir(), "nido-https-"));
  chmodSync(folder, 0o711);
  const [httpPort, httpsPort] = [await freePort(), await freePort()];
  const acme = await startAcmeServer({
    folder,
    httpPort,
    httpsPort,
    dns: names.address,
    certificateSeconds: 86_400,
    ...authority,
  });
  const proxy = await startAcmeProxy(acme);
  const DATABASE_URL = await createDatabase();
  const env = {
    DATA_DIR: join(folder, "data"),
    DATABASE_URL,
    HTTP_PORT: String(httpPort),
    HTTPS_PORT: String(httpsPort),
    SANDBOX_PORT: String(await freePort()),
    APP_URL: `https://localhost:${httpsPort}`,
    SITES_DOMAIN: `sites.localhost:${httpsPort}`,
    ACME_DIRECTORY: isProxied ? proxy.directoryUrl : acme.directoryUrl,
    ENCRYPTION_KEY: "a key of thirty-two characters and more",
    DNS_SERVERS: names.address,
    NODE_EXTRA_CA_CERTS: acme.certificateFile,
    LOG_LEVEL: "warn",
    ...settings,
  };
  const launch = () => start({ env });
  let product = await launch();
  const seed = await openSeed(DATABASE_URL, "demo@nido.example");
  return {
    acme,
    proxy,
    env,
    httpPort,
    httpsPort,
    databaseUrl: DATABASE_URL,
    seed,
    /** Requests a page by HTTPS. Rejects when the certificate is not from this authority. */
    get: (host: string, path = "/") => httpsGet(httpsPort, host, path, acme.root),
    output: () => product.output(),
    pid: () => product.child.pid as number,
    kill: async () => {
      product.child.kill("SIGKILL");
      await product.stop("SIGKILL");
    },
    restart: async () => {
      product = await launch();
    },
    stop: async () => {
      await seed.close();
      await product.stop("SIGKILL");
      await proxy.stop();
      await acme.stop();
      rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}
