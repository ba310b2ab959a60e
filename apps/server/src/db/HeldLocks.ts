import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";

const retryMs = 100;

/**
 * The locks of `SessionLocks`, for those who do not wait long for them. All that a process holds share one connection,
 * so they may be held for as long as a customer likes. If the connection breaks, so do the locks, but the work goes on.
 */
export class HeldLocks {
  private readonly url: string;
  private readonly onError: (error: Error) => void;
  private readonly held = new Set<string>();
  private client: Promise<pg.Client> | undefined;

  constructor(url: string, onError: (error: Error) => void) {
    this.url = url;
    this.onError = onError;
  }

  /** Undefined if somebody else holds the lock for all of that time. The result gives it back. */
  async take(name: string, waitMs: number): Promise<(() => Promise<void>) | undefined> {
    for (const end = Date.now() + waitMs; ; await pause(retryMs)) {
      const client = await this.tryTake(name);
      if (client) return () => this.release(name, client);
      if (Date.now() >= end) return undefined;
    }
  }

  async stop() {
    const { client } = this;
    this.client = undefined;
    await (await client?.catch(() => undefined))?.end().catch(() => undefined);
  }

  /** The connection that now holds the lock. */
  private async tryTake(name: string): Promise<pg.Client | undefined> {
    // A connection can take its own lock again.
    if (this.held.has(name)) return undefined;
    this.held.add(name);
    try {
      const client = await this.connect();
      const { rows } = await client.query("select pg_try_advisory_lock(hashtextextended($1, 0)) as taken", [name]);
      if (rows[0].taken) return client;
      this.held.delete(name);
      return undefined;
    } catch (error) {
      this.held.delete(name);
      // It may have got the lock without our knowing.
      await this.stop();
      throw error;
    }
  }

  private async release(name: string, client: pg.Client) {
    try {
      await client.query("select pg_advisory_unlock(hashtextextended($1, 0))", [name]);
    } catch (error) {
      this.onError(error as Error);
    } finally {
      this.held.delete(name);
    }
  }

  private connect(): Promise<pg.Client> {
    if (this.client) return this.client;
    const opening = this.open(() => {
      if (this.client === opening) this.client = undefined;
    });
    this.client = opening;
    return opening;
  }

  private async open(onEnd: () => void): Promise<pg.Client> {
    const options = "-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3";
    const client = new pg.Client({
      connectionString: this.url,
      connectionTimeoutMillis: 5000,
      query_timeout: 10_000,
      keepAlive: true,
      options,
    });
    client.on("error", this.onError);
    client.on("end", onEnd);
    await client.connect().catch((error) => {
      onEnd();
      throw error;
    });
    return client;
  }
}
