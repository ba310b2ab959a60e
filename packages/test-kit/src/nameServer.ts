import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
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
  for (let left = 1000; !(said.includes("all zones loaded") && said.includes("running")); left--) {
    if (left === 0 || server.exitCode !== null) throw new Error(`BIND does not start:\n${said}`);
    await pause(50);
  }

  return {
    address: `127.0.0.1:${port}`,
    /** Replaces the records of a type, or takes them away. */
    set: async (name: string, type: string, ...values: string[]) => {
      const lines = values.map((value) => `update add ${name}. 1 ${type} ${type === "TXT" ? `"${value}"` : value}`);
      const orders = [`server 127.0.0.1 ${port}`, `update delete ${name}. ${type}`, ...lines, "send", ""].join("\n");
      // On a busy machine it may be late to answer.
      for (let left = 20; ; left--) {
        const update = spawn("nsupdate", { stdio: ["pipe", "ignore", "pipe"] });
        update.stdin.end(orders);
        const [[code], fault] = await Promise.all([once(update, "close"), text(update.stderr)]);
        if (code === 0) return;
        if (left === 0) throw new Error(`nsupdate ended with ${code}: ${fault}`);
        await pause(200);
      }
    },
    stop: async () => {
      server.kill();
      await once(server, "exit");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
export type NameServer = Awaited<ReturnType<typeof startNameServer>>;
