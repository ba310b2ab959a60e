import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "./freePort.ts";
import { httpsGet } from "./httpsGet.ts";
import { startProgram } from "./startProgram.ts";
import { eventually } from "./waitUntil.ts";

const program = "/usr/bin/pebble";

/** Why there is no certificate authority here; undefined where there is one. */
export const whyNoAuthority = existsSync(program) ? undefined : "pebble is missing";

interface Options {
  folder: string;
  /** where pebble validates challenges */
  httpPort: number;
  httpsPort: number;
  /** the name server that pebble queries */
  dns: string;
  certificateSeconds: number;
  /** how many requests of a hundred are refused because of their nonce */
  refusedNonces?: number;
  /** how long a validation takes, at most */
  validationSeconds?: number;
  /** The authority requires external account binding with this key. */
  accountBinding?: { id: string; key: string };
}

/** Pebble: a certificate authority that speaks ACME. */
export async function startAcmeServer({
  folder,
  httpPort,
  httpsPort,
  dns,
  certificateSeconds,
  refusedNonces = 0,
  validationSeconds,
  accountBinding,
}: Options) {
  const [port, managementPort] = [await freePort(), await freePort()];
  const [certificateFile, keyFile] = [join(folder, "acme.pem"), join(folder, "acme.key")];
  createCertificate(certificateFile, keyFile);
  const configFile = join(folder, "pebble.json");
  const pebble = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${managementPort}`,
    certificate: certificateFile,
    privateKey: keyFile,
    httpPort,
    tlsPort: httpsPort,
    certificateValidityPeriod: certificateSeconds,
    ...(accountBinding && {
      externalAccountBindingRequired: true,
      externalAccountMACKeys: { [accountBinding.id]: accountBinding.key },
    }),
  };
  writeFileSync(configFile, JSON.stringify({ pebble }));

  const server = startProgram(program, ["-config", configFile, "-dnsserver", dns], {
    env: {
      PATH: process.env["PATH"],
      ...(validationSeconds ? { PEBBLE_VA_SLEEPTIME: String(validationSeconds) } : { PEBBLE_VA_NOSLEEP: "1" }),
      PEBBLE_WFE_NONCEREJECT: String(refusedNonces),
      PEBBLE_WFE_ORDERS_PER_PAGE: "3",
    },
  });
  // pebble prints that it listens before it does, on both of its ports.
  const certificate = readFileSync(certificateFile, "utf8");
  const request = (port: number, path: string) =>
    eventually(() => httpsGet(port, "localhost", path, certificate), { stallMs: 30_000 });
  await request(port, "/dir");
  const roots = await request(managementPort, "/roots/0");
  return {
    directoryUrl: `https://127.0.0.1:${port}/dir`,
    /** the certificate of the ACME server itself */
    certificateFile,
    keyFile,
    /** root of the certificates it issues, in PEM */
    root: roots.text,
    countOrders: () => server.output().match(/There are now \d+ orders in the db/g)?.length ?? 0,
    stop: () => server.stop(),
  };
}

function createCertificate(certificateFile: string, keyFile: string) {
  const request = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost";
  const names = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  execFileSync("openssl", [...request.split(" "), ...names, "-keyout", keyFile, "-out", certificateFile], {
    stdio: "ignore",
  });
}
