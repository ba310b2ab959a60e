import { execFile, execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { sitesGroup } from "./names.ts";
import { groupId, userId } from "./unixAccounts.ts";

const dumpTimeout = 30 * 60_000;

/** The databases of the sites. Each site's database user is its unix user, so there are no passwords. */
export class MariaDb {
  readonly socket: string;

  constructor(socket: string) {
    this.socket = socket;
  }

  create(name: string) {
    this.execute(
      `create or replace database \`${name}\` character set utf8mb4;
       create or replace user '${name}'@'localhost' identified via unix_socket;
       grant all on \`${name}\`.* to '${name}'@'localhost';`,
    );
  }

  drop(name: string) {
    this.execute(`drop database if exists \`${name}\`; drop user if exists '${name}'@'localhost';`);
  }

  async dump(name: string, file: string) {
    const options = ["--no-defaults", `--socket=${this.socket}`, "--single-transaction", "--skip-comments"];
    await promisify(execFile)("mariadb-dump", [...options, `--result-file=${file}`, name], { timeout: dumpTimeout });
  }

  /** Imports a dump as the site's own user: the file is not trusted with more rights. */
  import(name: string, file: string) {
    execFileSync("mariadb", ["--no-defaults", `--socket=${this.socket}`, name], {
      input: readFileSync(file),
      uid: userId(name) as number,
      gid: groupId(sitesGroup),
      env: { USER: name },
    });
  }

  private execute(statements: string) {
    execFileSync("mariadb", ["--no-defaults", "--user=root", `--socket=${this.socket}`], { input: statements });
  }
}
