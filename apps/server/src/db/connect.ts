import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import pg from "pg";
import { KeyedMutex } from "../platform/KeyedMutex.ts";

export type Db = ReturnType<typeof connect>;
export type Tx = Parameters<Parameters<NodePgDatabase["transaction"]>[0]>[0];

/** A customer with this many changes running or waiting gets an error for the next one. */
const maxChangesOfCustomer = 50;

/** A connection pool. `onError` is called when an idle connection breaks; without a listener, Node would exit. */
export function connect(url: string, onError: (error: Error) => void = () => undefined, max = 10) {
  const pool = new pg.Pool({ connectionString: url, max, connectionTimeoutMillis: 5000 });
  pool.on("error", onError);
  pool.on("connect", (client) => client.on("error", onError));
  const db = drizzle({ client: pool });

  // Drizzle's own `transaction` leaks its connection if `begin` fails. Ten such leaks exhaust the pool.
  const transaction: typeof db.transaction = async (work, config) => {
    const client = await pool.connect();
    try {
      return await drizzle({ client }).transaction(work, config);
    } finally {
      client.release();
    }
  };
  const customers = new KeyedMutex(maxChangesOfCustomer);
  /**
   * Runs a transaction that will lock this customer's row. A customer's transactions wait for each other here, in
   * memory: if they waited for the lock, a few requests of one customer would hold every connection of the pool.
   */
  const transactionOf = <Result>(userId: string, work: (tx: Tx) => Promise<Result>): Promise<Result> =>
    customers.run(userId, () => transaction(work));
  return Object.assign(db, { transaction, transactionOf, customers });
}
