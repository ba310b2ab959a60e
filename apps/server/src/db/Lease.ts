import { hostname } from "node:os";
import { and, eq, sql } from "drizzle-orm";
import type { Db } from "./connect.ts";
import { leases } from "./schema.ts";

/** Who holds a lease: a process, and where it answers. */
interface Holder {
  host: string;
  pid: number;
  address: string;
}

const seconds = 15;
const renewEvery = 4000;

/**
 * The right of one process at a time to do something. It ends by itself when it is not renewed in time, by this
 * process's own clock too; a number in its row grows with each holder, and tells an earlier one from a later.
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

  /** Takes it where it is free, or says who has it. */
  async take(): Promise<Holder | "taken"> {
    const asked = performance.now();
    const expiresAt = sql`now() + make_interval(secs => ${seconds})`;
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
      this.validUntil = asked + seconds * 1000;
      this.timer ??= setInterval(() => void this.take().catch(() => undefined), renewEvery).unref();
      return "taken";
    }
    this.validUntil = 0;
    const other = await this.findHolder();
    if (!other || !isDead(other)) return other ?? this.take();
    await this.expire(JSON.stringify(other));
    return this.take();
  }

  /** Lets the next one have it at once. */
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

/** Of a process on this machine that is certain at once; of another machine's only time tells. */
function isDead({ host, pid }: Holder): boolean {
  if (host !== hostname()) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
