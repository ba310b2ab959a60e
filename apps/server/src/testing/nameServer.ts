import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "./freePort.ts";

const program = "/usr/sbin/named";

/** What keeps BIND from running here, if anything. */
export const whyNoNameServer = existsSync(program) ? undefined : "bind9 is missing";

/** BIND on loopback, with zones whose records can be set while it runs. */
export async function startNameServer(zones: string[]) {
  const folder = mkdtempSync(join(tmpdir(), "nido-dns-"));
  const port = await freePort();
  const zoneText = (zone: string) =>
    `zone "${zone}" { type primary; file "${zone}.zone"; allow-update { 127.0.0.1; }; };`;
  writeFileSync(
    join(folder, "named.conf"),
    `options { directory "${folder}"; listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; }; recursion yes;
       pid-file none; session-keyfile "${folder}/session.key"; managed-keys-directory "${folder}"; notify no; };
     controls {};
     ${zones.map(zoneText).join("\n")}\n`,
  );
  for (const zone of zones)
    writeFileSync(
      join(folder, `${zone}.zone`),
      `$TTL 1\n@ IN SOA ns.${zone}. admin.${zone}. 1 1 1 1 1\n@ IN NS ns.${zone}.\nns IN A 127.0.0.1\n`,
    );
  const server = spawn(program, ["-g", "-c", join(folder, "named.conf")], { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  server.stderr.on("data", (chunk) => (said += chunk));
  for (let left = 100; !said.includes("running"); left--) {
    if (left === 0 || server.exitCode !== null) throw new Error(`BIND does not start:\n${said}`);
    await pause(50);
  }

  return {
    address: `127.0.0.1:${port}`,
    /** Replaces the records of a type, or takes them away. */
    set: async (name: string, type: string, ...values: string[]) => {
      const lines = values.map((value) => `update add ${name}. 1 ${type} ${type === "TXT" ? `"${value}"` : value}`);
      const update = execFile("nsupdate");
      update.stdin?.end(
        [`server 127.0.0.1 ${port}`, `update delete ${name}. ${type}`, ...lines, "send", ""].join("\n"),
      );
      const [code] = await once(update, "close");
      if (code !== 0) throw new Error(`nsupdate ended with ${code}`);
    },
    stop: async () => {
      server.kill();
      await once(server, "exit");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
export type NameServer = Awaited<ReturnType<typeof startNameServer>>;
