import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { startAcmeServer } from "./acmeServer.ts";
import { freePort } from "./freePort.ts";
import { httpsGet } from "./httpsGet.ts";
import { startProgram } from "./startProgram.ts";

const caddyfile = ["--config", resolve(import.meta.dirname, "../../../deploy/Caddyfile"), "--adapter", "caddyfile"];
const programs = ["/usr/bin/caddy", "/usr/bin/pebble", "/usr/bin/lego"];
const execute = promisify(execFile);

/** Why Caddy and its certificate authority cannot run here; undefined where they can. */
export const whyNoCaddy = programs.every((program) => existsSync(program))
  ? undefined
  : "caddy, pebble or lego is missing";

/** Caddy with `deploy/Caddyfile`, in front of a product on `port`, with pebble as its certificate authority. */
export async function startCaddy(port: number, dns: string, { certificateSeconds = 86_400 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "nido-front-"));
  const [httpPort, httpsPort, adminPort] = [await freePort(), await freePort(), await freePort()];
  const acme = await startAcmeServer({ folder, httpPort, httpsPort, dns, certificateSeconds });
  const home = join(folder, "home");
  mkdirSync(home);
  writeFileSync(
    join(folder, "test.options"),
    `http_port ${httpPort}\nhttps_port ${httpsPort}\nadmin 127.0.0.1:${adminPort}\nemail ana@example.com
acme_ca ${acme.directoryUrl}\nacme_ca_root ${acme.certificateFile}\n`,
  );
  const { PATH } = process.env;
  const caddyEnv = { PATH, PORT: String(port), CADDY_FOLDER: folder, HOME: home, XDG_DATA_HOME: home };
  const caddy = startProgram("/usr/bin/caddy", ["run", ...caddyfile], { env: caddyEnv });
  await caddy.waitForOutput(/serving initial configuration/);

  /** Has lego order one certificate for all names below a zone, as docs/OPERATING.md describes. Returns its path. */
  const orderWildcard = async (zone: string) => {
    const account = ["--server", acme.directoryUrl, "--path", join(folder, "lego"), "--accept-tos"];
    const challenge = ["--dns", "rfc2136", "--dns.resolvers", dns, "--dns.disable-cp"];
    const names = ["--email", "ana@example.com", "--domains", `*.${zone}`];
    const env = { PATH, LEGO_CA_CERTIFICATES: acme.certificateFile, RFC2136_NAMESERVER: dns };
    await execute("lego", [...account, ...challenge, ...names, "run"], { env });
    return join(folder, `lego/certificates/_.${zone}`);
  };

  return {
    httpPort,
    httpsPort,
    /** root of the authority's certificates, in PEM */
    root: acme.root,
    /** how often a certificate was ordered */
    orders: acme.countOrders,
    /** Requests a page by HTTPS. Rejects when the certificate is not from this authority. */
    get: (host: string, path = "/") => httpsGet(httpsPort, host, path, acme.root),
    stopAuthority: acme.stop,
    /** Gets a wildcard certificate for a zone, and reloads Caddy with it. */
    useWildcard: async (zone: string) => {
      const certificate = await orderWildcard(zone);
      writeFileSync(
        join(folder, "wildcard.site"),
        `*.${zone} {\n\ttls ${certificate}.crt ${certificate}.key\n\timport nido\n}\n`,
      );
      await execute("caddy", ["reload", ...caddyfile, "--address", `127.0.0.1:${adminPort}`], { env: caddyEnv });
    },
    stop: async () => {
      await caddy.stop();
      await acme.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
export type Caddy = Awaited<ReturnType<typeof startCaddy>>;
