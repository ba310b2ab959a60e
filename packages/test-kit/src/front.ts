import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import type { TLSSocket } from "node:tls";
import { promisify } from "node:util";
import { freePort } from "./freePort.ts";

const caddyfile = resolve(import.meta.dirname, "../../../deploy/Caddyfile");
const programs = ["/usr/bin/caddy", "/usr/bin/pebble", "/usr/bin/lego"];

/** What keeps the front from running here, if anything. */
export const whyNoFront = programs.every((program) => existsSync(program))
  ? undefined
  : "caddy, pebble or lego is missing";

/** Caddy as `deploy/Caddyfile` has it, before a product on `port`; its certificate authority is pebble, which asks `dns`. */
export async function startFront(port: number, dns: string, { certificateSeconds = 86_400 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "nido-front-"));
  const [httpPort, httpsPort, acmePort, managementPort, adminPort] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const file = (name: string) => join(folder, name);
  execFileSync(
    "openssl",
    [
      ..."req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost".split(" "),
      ...[
        "-addext",
        "subjectAltName=DNS:localhost,IP:127.0.0.1",
        "-keyout",
        file("acme.key"),
        "-out",
        file("acme.pem"),
      ],
    ],
    { stdio: "ignore" },
  );
  const pebble = {
    listenAddress: `127.0.0.1:${acmePort}`,
    managementListenAddress: `127.0.0.1:${managementPort}`,
    certificate: file("acme.pem"),
    privateKey: file("acme.key"),
    httpPort,
    tlsPort: httpsPort,
    certificateValidityPeriod: certificateSeconds,
  };
  writeFileSync(file("pebble.json"), JSON.stringify({ pebble }));
  writeFileSync(
    file("test.options"),
    `http_port ${httpPort}\nhttps_port ${httpsPort}\nadmin 127.0.0.1:${adminPort}\nemail ana@example.com
acme_ca https://127.0.0.1:${acmePort}/dir\nacme_ca_root ${file("acme.pem")}\n`,
  );
  mkdirSync(file("home"));

  const authority = () =>
    run("/usr/bin/pebble", ["-config", file("pebble.json"), "-dnsserver", dns], {
      PEBBLE_VA_NOSLEEP: "1",
      PEBBLE_WFE_NONCEREJECT: "0",
    });
  const acme = authority();
  await acme.until(/Listening on/);
  const roots = await get(managementPort, "localhost", "/roots/0", readFileSync(file("acme.pem"), "utf8"));
  const caddyEnv = { PORT: String(port), CADDY_FOLDER: folder, HOME: file("home"), XDG_DATA_HOME: file("home") };
  const caddy = run("/usr/bin/caddy", ["run", "--config", caddyfile, "--adapter", "caddyfile"], caddyEnv);
  await caddy.until(/serving initial configuration/);

  return {
    httpPort,
    httpsPort,
    /** what the authority's certificates lead to, in PEM */
    root: roots.text,
    /** how often a certificate was ordered */
    orders: () => acme.said().match(/There are now \d+ orders in the db/g)?.length ?? 0,
    /** Asks for a page by https; rejects where the certificate is none of the authority's. */
    get: (host: string, path = "/") => get(httpsPort, host, path, roots.text),
    stopAuthority: acme.stop,
    /** One certificate for all names below a zone, as docs/OPERATING.md has it, and Caddy told of it. */
    useWildcard: async (zone: string) => {
      const options = [
        ...["--server", `https://127.0.0.1:${acmePort}/dir`, "--path", file("lego"), "--accept-tos"],
        ...[
          "--email",
          "ana@example.com",
          "--dns",
          "rfc2136",
          "--dns.resolvers",
          dns,
          "--dns.disable-cp",
          "--domains",
          `*.${zone}`,
        ],
      ];
      const access = { LEGO_CA_CERTIFICATES: file("acme.pem"), RFC2136_NAMESERVER: dns };
      await promisify(execFile)("lego", [...options, "run"], { env: { PATH: process.env["PATH"], ...access } });
      const certificate = file(`lego/certificates/_.${zone}`);
      writeFileSync(
        file("wildcard.site"),
        `*.${zone} {\n\ttls ${certificate}.crt ${certificate}.key\n\timport nido\n}\n`,
      );
      const config = ["--config", caddyfile, "--adapter", "caddyfile", "--address", `127.0.0.1:${adminPort}`];
      await promisify(execFile)("caddy", ["reload", ...config], { env: { PATH: process.env["PATH"], ...caddyEnv } });
    },
    stop: async () => {
      await caddy.stop();
      await acme.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
export type Front = Awaited<ReturnType<typeof startFront>>;

async function get(port: number, host: string, path: string, ca: string) {
  const agent = new Agent({ keepAlive: false, maxCachedSessions: 0 });
  const asked = request({
    host: "127.0.0.1",
    port,
    path,
    servername: host,
    headers: { host },
    ca,
    agent,
    timeout: 20_000,
  });
  asked.end();
  const [answer] = await once(asked, "response");
  const certificate = (answer.socket as TLSSocket).getPeerCertificate();
  return {
    status: answer.statusCode as number,
    headers: answer.headers,
    text: (await buffer(answer)).toString(),
    serial: certificate.serialNumber,
    names: certificate.subjectaltname,
  };
}

function run(program: string, args: string[], env: Record<string, string>) {
  const child = spawn(program, args, { env: { PATH: process.env["PATH"], ...env }, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += chunk));
  return {
    said: () => said,
    until: async (sign: RegExp) => {
      for (let left = 1000; !sign.test(said); left--) {
        if (left === 0 || child.exitCode !== null) throw new Error(`${program} does not start:\n${said}`);
        await pause(50);
      }
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill();
      await once(child, "close");
    },
  };
}
