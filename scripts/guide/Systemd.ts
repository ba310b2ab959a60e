import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Plays the part of systemd in a folder with a Debian: carries out the verbs that the guide uses. */
export class Systemd {
  private readonly machine: string;
  private readonly services = new Map<string, ChildProcess>();

  constructor(machine: string) {
    this.machine = machine;
  }

  async run([verb, ...words]: string[]) {
    const units = words.filter((word) => !word.startsWith("--") && !word.endsWith(".timer"));
    for (const unit of units) {
      if (verb === "enable") this.start(unit);
      if (verb === "restart") execFileSync("chroot", [this.machine, `/etc/init.d/${unit}`, "restart"]);
      if (verb === "reload") this.reload(unit);
      if (verb === "stop") await this.stop(unit);
    }
  }

  /** Ids of the processes of a service: its own, and all that it has started. */
  children(unit: string): number[] {
    const pairs = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" })
      .trim()
      .split("\n")
      .map((line) => line.trim().split(/\s+/).map(Number));
    const below = (parent: number): number[] =>
      pairs.filter(([, ppid]) => ppid === parent).flatMap(([pid = 0]) => [pid, ...below(pid)]);
    return below(this.services.get(unit)?.pid ?? 0);
  }

  private start(unit: string) {
    const [file] = globSync(join(this.machine, `etc/systemd/system/${unit}.service`));
    // A service of Debian's: nftables.
    if (!file) return void execFileSync("chroot", [this.machine, "nft", "-f", `/etc/${unit}.conf`]);
    const { ExecStart = [""], User: [user] = [], ...settings } = parseUnit(readFileSync(file, "utf8"));
    for (const folder of settings["RuntimeDirectory"] ?? [])
      mkdirSync(join(this.machine, "run", folder), { recursive: true, mode: 0o711 });
    const environment = [
      ...(settings["EnvironmentFile"] ?? []).flatMap((path) => lines(readFileSync(join(this.machine, path), "utf8"))),
      ...(settings["Environment"] ?? []),
    ];
    const capabilities = (settings["AmbientCapabilities"] ?? []).map(
      (name) => `+${name.replace("CAP_", "").toLowerCase()}`,
    );
    const account = user ? ["--reuid", user, "--regid", user, "--init-groups", "--no-new-privs"] : [];
    const allowed = capabilities.flatMap((list) => ["--inh-caps", list, "--ambient-caps", list]);
    const bounds = capabilities.length > 0 ? ["--bounding-set", ["-all", ...capabilities].join(",")] : [];
    const path = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin";
    const directory = settings["WorkingDirectory"]?.[0] ?? "/";
    const service = spawn(
      "chroot",
      [
        this.machine,
        ...["setpriv", ...account, ...allowed, ...bounds],
        ...["env", "-i", "-C", directory, path, "HOME=/var/lib/nido", ...environment],
        ...(ExecStart[0] as string).split(" "),
      ],
      { stdio: "inherit" },
    );
    this.services.set(unit, service);
  }

  private reload(unit: string) {
    // ExecReload=/bin/kill -USR2 $MAINPID
    this.services.get(unit)?.kill("SIGUSR2");
  }

  private async stop(unit: string) {
    const service = this.services.get(unit);
    if (!service) return;
    const ended = once(service, "close");
    service.kill("SIGTERM");
    await ended;
  }
}

function parseUnit(text: string): Record<string, string[]> {
  const settings: Record<string, string[]> = {};
  for (const line of lines(text)) {
    const [name = "", ...value] = line.split("=");
    settings[name] = [...(settings[name] ?? []), value.join("=")];
  }
  return settings;
}

function lines(text: string): string[] {
  return text.split("\n").filter((line) => /^\w+=/.test(line));
}
