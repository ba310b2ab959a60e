import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { freePort } from "./freePort.ts";
import { startProgram } from "./startProgram.ts";
import { eventually } from "./waitUntil.ts";

const program = "/usr/sbin/named";

/** Why BIND cannot run here; undefined where it can. */
export const whyNoNameServer = existsSync(program) ? undefined : "bind9 is missing";

/** BIND on loopback, with zones whose records can be set while it runs. */
export async function startNameServer(zones: string[]) {
  const folder = mkdtempSync(join(tmpdir(), "nido-dns-"));
  const port = await freePort();
  writeConfig(folder, port, zones);
  const server = startProgram(program, ["-g", "-c", join(folder, "named.conf")]);
  await server.waitForOutput(/all zones loaded/);
  await server.waitForOutput(/running/);

  return {
    address: `127.0.0.1:${port}`,
    /** for nsupdate: a TSIG key that may change every zone, and the server */
    update: `${join(folder, "tsig.key")}@127.0.0.1#${port}`,
    /** Replaces the records of a type; without values it removes them. */
    set: async (name: string, type: string, ...values: string[]) => {
      const records = values.map((value) => `update add ${name}. 1 ${type} ${type === "TXT" ? `"${value}"` : value}`);
      const commands = [`server 127.0.0.1 ${port}`, `update delete ${name}. ${type}`, ...records, "send", ""];
      // Repeating is harmless, because each update replaces the records. nsupdate times out on a busy machine.
      await eventually(() => runNsupdate(commands.join("\n")), { intervalMs: 200 });
    },
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
export type NameServer = Awaited<ReturnType<typeof startNameServer>>;

function writeConfig(folder: string, port: number, zones: string[]) {
  const key = `key "nido" { algorithm hmac-sha256; secret "${randomBytes(32).toString("base64")}"; };\n`;
  writeFileSync(join(folder, "tsig.key"), key);
  const zoneText = (zone: string) =>
    `zone "${zone}" { type primary; file "${zone}.zone"; allow-update { 127.0.0.1; key "nido"; }; };`;
  writeFileSync(
    join(folder, "named.conf"),
    `options { directory "${folder}"; listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; }; recursion yes;
       pid-file none; session-keyfile "${folder}/session.key"; managed-keys-directory "${folder}"; notify no; };
     controls {};
     ${key}
     ${zones.map(zoneText).join("\n")}\n`,
  );
  for (const zone of zones) {
    writeFileSync(
      join(folder, `${zone}.zone`),
      `$TTL 1\n@ IN SOA ns.${zone}. admin.${zone}. 1 1 1 1 1\n@ IN NS ns.${zone}.\nns IN A 127.0.0.1\n`,
    );
  }
}

async function runNsupdate(commands: string) {
  const update = spawn("nsupdate", { stdio: ["pipe", "ignore", "pipe"] });
  update.stdin.end(commands);
  const [[code], errors] = await Promise.all([once(update, "close"), text(update.stderr)]);
  if (code !== 0) throw new Error(`nsupdate ended with ${code}: ${errors}`);
}
