import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { sitesGroup } from "./names.ts";
import type { siteLimits } from "./siteLimits.ts";
import { groupId, userId } from "./unixAccounts.ts";

const timeout = 30 * 60_000;

interface Streams {
  /** a file descriptor to read from, or a stream */
  input?: number | Readable;
  /** text to read */
  statements?: string;
  /** a file descriptor to write to */
  output?: number;
}

/** The databases of the sites. Each site's database user is its unix user, so there are no passwords. */
export class MariaDb {
  readonly socket: string;

  constructor(socket: string) {
    this.socket = socket;
  }

  async create(name: string) {
    await this.execute(
      `create or replace database \`${name}\` character set utf8mb4;
       create or replace user '${name}'@'localhost' identified via unix_socket;
       grant all on \`${name}\`.* to '${name}'@'localhost';`,
    );
  }

  /** Limits what the site's user may use of the server that all sites share. */
  async limit(name: string, { connections, statementSeconds }: ReturnType<typeof siteLimits>["database"]) {
    await this.execute(
      `alter user '${name}'@'localhost'
       with max_user_connections ${connections} max_statement_time ${statementSeconds};`,
    );
  }

  async drop(name: string) {
    await this.execute(`drop database if exists \`${name}\`; drop user if exists '${name}'@'localhost';`);
  }

  /** Writes a dump, made with the site's own rights. */
  async dump(name: string, output: number) {
    // mariadb-dump itself lifts the time limit of statements.
    const options = ["--single-transaction", "--skip-comments", "--no-tablespaces"];
    await this.run("mariadb-dump", [...options, name], { output }, accountIds(name));
  }

  /** Imports a dump as the site's own user: the file is not trusted with more rights. */
  async import(name: string, input: number | Readable) {
    const initial = "--init-command=set max_statement_time=0";
    // --sandbox: a line of the file could otherwise run a program.
    await this.run("mariadb", ["--sandbox", initial, name], { input }, { ...accountIds(name), env: { USER: name } });
  }

  private async execute(statements: string) {
    await this.run("mariadb", ["--user=root"], { statements });
  }

  private async run(
    program: string,
    args: string[],
    { input, output, statements }: Streams,
    account: { uid?: number; gid?: number; env?: NodeJS.ProcessEnv } = {},
  ) {
    const child = spawn(program, ["--no-defaults", `--socket=${this.socket}`, ...args], {
      ...account,
      stdio: [typeof input === "number" ? input : "pipe", output ?? "ignore", "pipe"],
      timeout,
    });
    child.stdin?.on("error", () => undefined); // the exit code shows a failure
    if (typeof input === "object") input.pipe(child.stdin as NonNullable<typeof child.stdin>);
    else child.stdin?.end(statements);
    const [errors] = await Promise.all([text(child.stderr as NonNullable<typeof child.stderr>), once(child, "close")]);
    if (child.exitCode !== 0) throw new Error(`${program} failed: ${errors.trim() || child.signalCode}`);
  }
}

function accountIds(name: string) {
  return { uid: userId(name) as number, gid: groupId(sitesGroup) };
}
