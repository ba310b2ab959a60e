import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";

interface Options {
  /** a program that is called with `set` or `remove`, the record's name and its value */
  command?: string | undefined;
  /** a TSIG key file for nsupdate (RFC 2136), and the name server */
  nsupdate?: { keyFile: string; server: string } | undefined;
  lookUpText: (name: string) => Promise<string[]>;
}

const recordSeconds = 60;
const commandTimeout = 60_000;
const [propagationTime, lookUpInterval] = [60_000, 1000];

/** Proves control of a domain by a TXT record (DNS-01), the only way to get a wildcard certificate. */
export class DnsChallenge {
  private readonly options: Options;

  constructor(options: Options) {
    this.options = options;
  }

  /** Sets the record and waits, for a minute at most, until DNS returns it. */
  async set(domain: string, keyAuthorization: string) {
    const name = `_acme-challenge.${domain}`;
    const value = createHash("sha256").update(keyAuthorization).digest("base64url");
    await this.change("set", name, value);
    for (const deadline = Date.now() + propagationTime; Date.now() < deadline; await pause(lookUpInterval)) {
      const values = await this.options.lookUpText(name).catch((): string[] => []);
      if (values.includes(value)) break;
    }
    return { remove: () => this.change("remove", name, value) };
  }

  private async change(action: "set" | "remove", name: string, value: string) {
    const { command, nsupdate } = this.options;
    if (command) return run(command, [action, name, value]);
    if (!nsupdate) return;
    const update = action === "set" ? `add ${name}. ${recordSeconds} TXT "${value}"` : `delete ${name}. TXT "${value}"`;
    const [host = "", port = "53"] = nsupdate.server.split("#");
    await run("nsupdate", ["-k", nsupdate.keyFile], `server ${host} ${port}\nupdate ${update}\nsend\n`);
  }
}

async function run(program: string, args: string[], input = "") {
  // Not our own environment, which contains secrets.
  const env = { PATH: process.env["PATH"] };
  const child = spawn(program, args, { stdio: ["pipe", "ignore", "pipe"], timeout: commandTimeout, env });
  child.stdin.on("error", () => undefined); // the exit code shows a failure
  child.stdin.end(input);
  const [errors] = await Promise.all([text(child.stderr), once(child, "close")]);
  if (child.exitCode !== 0) throw new Error(`${program} failed: ${errors.trim().slice(0, 500) || child.signalCode}`);
}
