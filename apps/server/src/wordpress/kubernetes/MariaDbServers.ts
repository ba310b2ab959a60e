import { createConnection } from "mariadb";
import type { siteLimits } from "../native/siteLimits.ts";
import type { ClusterSite } from "./ClusterSites.ts";

type Limits = ReturnType<typeof siteLimits>["database"];
type Database = ClusterSite["database"];

const connectTimeout = 5000;

/** The MariaDB servers of MARIADB_URLS. Each site has a database, a user and a password on one of them. */
export class MariaDbServers {
  private readonly urls: Map<string, URL>;

  constructor(urls: URL[]) {
    this.urls = new Map(urls.map((url) => [`${url.hostname}:${url.port || "3306"}`, url]));
  }

  /** The server with the fewest sites, and whether it offers TLS. */
  async choose(counts: Map<string, number>): Promise<{ host: string; tls: boolean }> {
    const [host = ""] = [...this.urls.keys()].sort((one, other) => (counts.get(one) ?? 0) - (counts.get(other) ?? 0));
    const rows = await this.query<{ Value: string }>(host, "show variables like 'have_ssl'");
    return { host, tls: rows[0]?.Value === "YES" };
  }

  /** Creates an empty database, in place of an existing one. */
  async create(database: Database, limits: Limits) {
    const { name, host } = database;
    await this.query(host, `create or replace database \`${name}\` character set utf8mb4`);
    await this.query(host, `create or replace user ${account(database, limits)}`);
    await this.query(host, `grant all on \`${name}\`.* to '${name}'@'%'`);
  }

  /** Sets password and limits, and ends connections that were opened with the old ones. */
  async setAccess(database: Database, limits: Limits) {
    const { name, host } = database;
    await this.query(host, `alter user ${account(database, limits)}`);
    const connections = await this.query<{ id: bigint }>(
      host,
      `select id from information_schema.processlist where user = '${name}'`,
    );
    for (const { id } of connections) await this.query(host, `kill ${id}`).catch(unlessEnded);
  }

  async drop({ name, host }: Database) {
    await this.query(host, `drop database if exists \`${name}\``);
    await this.query(host, `drop user if exists '${name}'@'%'`);
  }

  /** Names and passwords are made of letters, digits, `_` and `-`, so statements need no quoting. */
  private async query<Row>(host: string, statement: string): Promise<Row[]> {
    const url = this.urls.get(host);
    if (!url) throw new Error(`MARIADB_URLS has no server ${host}, but a site's database is there`);
    const connection = await createConnection({
      host: url.hostname,
      port: Number(url.port || "3306"),
      user: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
      connectTimeout,
    });
    try {
      return await connection.query(statement).catch((error) => {
        // The driver's own message repeats the statement, which may contain a password.
        const reason = error.sqlMessage ?? error.code;
        throw Object.assign(new Error(`MariaDB refused a statement: ${reason}`), { code: error.code });
      });
    } finally {
      await connection.end();
    }
  }
}

function account({ name, password }: Database, { connections, statementSeconds }: Limits): string {
  return `'${name}'@'%' identified by '${password}'
    with max_user_connections ${connections} max_statement_time ${statementSeconds}`;
}

function unlessEnded(error: Error & { code?: string }) {
  if (error.code !== "ER_NO_SUCH_THREAD") throw error;
}
