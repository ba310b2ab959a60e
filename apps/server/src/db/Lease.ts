import { hostname } from "node:os";
import { and, eq, sql } from "drizzle-orm";
import type { Db } from "./connect.ts";
import { leases } from "./schema.ts";

/** The process that holds a lease, and the address at which it answers. */
interface Holder {
  host: string;
  pid: number;
  address: string;
}

const leaseSeconds = 15;
const renewEveryMs = 4000;

/**
 * A lock that one process at a time can hold. It expires unless it is renewed in time; the database and this
 * process each measure that by their own clock. The fencing number grows with each new holder, so that an
 * earlier and a later holder can be distinguished.
 */
export class Lease {
  private validUntil = 0;
  private timer: NodeJS.Timeout | undefined;
  private readonly db: Db;
  private readonly name: string;
  private readonly holder: string;

  constructor(db: Db, name: string, address: string) {
    this.db = db;
    this.name = name;
    this.holder = JSON.stringify({ host: hostname(), pid: process.pid, address } satisfies Holder);
  }

  get isHeld(): boolean {
    return performance.now() < this.validUntil;
  }

  /** Takes the lease if it is free, expired or left by a dead process; otherwise returns its holder. */
  async take(): Promise<Holder | "taken"> {
    // Measured before the query, so that the lease never seems to last longer here than in the database.
    const requestedAt = performance.now();
    const expiresAt = sql`now() + make_interval(secs => ${leaseSeconds})`;
    const [row] = await this.db
      .insert(leases)
      .values({ name: this.name, holder: this.holder, fence: 1, expiresAt })
      .onConflictDoUpdate({
        target: leases.name,
        set: {
          holder: this.holder,
          expiresAt,
          fence: sql`${leases.fence} + (${leases.holder} <> ${this.holder})::int`,
        },
        setWhere: sql`${leases.holder} = ${this.holder} or ${leases.expiresAt} < now()`,
      })
      .returning({ fence: leases.fence });
    if (row) {
      this.validUntil = requestedAt + leaseSeconds * 1000;
      this.timer ??= setInterval(() => void this.take().catch(() => undefined), renewEveryMs).unref();
      return "taken";
    }
    this.validUntil = 0;
    const other = await this.findHolder();
    if (!other || !isDead(other)) return other ?? this.take();
    await this.expire(JSON.stringify(other));
    return this.take();
  }

  /** Ends the lease, so that the next process need not wait until it expires. */
  async release() {
    clearInterval(this.timer);
    this.timer = undefined;
    if (!this.isHeld) return;
    this.validUntil = 0;
    await this.expire(this.holder);
  }

  private async findHolder(): Promise<Holder | undefined> {
    const [row] = await this.db.select().from(leases).where(eq(leases.name, this.name));
    return row && JSON.parse(row.holder);
  }

  private async expire(holder: string) {
    await this.db
      .update(leases)
      .set({ expiresAt: sql`now() - interval '1 second'` })
      .where(and(eq(leases.name, this.name), eq(leases.holder, holder)));
  }
}

/** Whether the holder's process has ended. Only processes of this machine can be checked; other leases must expire. */
function isDead({ host, pid }: Holder): boolean {
  if (host !== hostname()) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
