import pg from "pg";

/** Locks by name that hold across processes and machines. Each one in use keeps a connection of its own. */
export class SessionLocks {
  private readonly pool: pg.Pool;

  /** `max`: how many can be in use or waited for */
  constructor(url: string, max: number, onError: (error: Error) => void) {
    this.pool = new pg.Pool({
      connectionString: url,
      max,
      connectionTimeoutMillis: 5000,
      keepAlive: true,
      // The database notices within a minute that a machine is gone, and ends its locks.
      options: "-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3",
    });
    this.pool.on("error", onError);
    this.pool.on("connect", (client) => client.on("error", onError));
  }

  /** Runs work while nobody else holds the lock. If the connection breaks, so does the lock, but the work goes on. */
  async run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const client = await this.pool.connect();
    try {
      await client.query("select pg_advisory_lock(hashtextextended($1, 0))", [name]);
      return await work();
    } finally {
      client.release(true); // closes the connection, which ends the lock
    }
  }

  /** Whether nobody holds the lock at this moment. */
  async isFree(name: string): Promise<boolean> {
    // The transaction is over at once, and the lock with it.
    const { rows } = await this.pool.query("select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as free", [name]);
    return rows[0].free;
  }

  /** Does not wait for work that still runs. Its locks end with the process. */
  stop() {
    void this.pool.end().catch(() => undefined); // it has been stopped before
  }
}
