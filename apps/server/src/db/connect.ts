import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";

export type Db = ReturnType<typeof connect>;
export type Tx = Parameters<Parameters<Db["transaction"]>[0]>[0];

/** A connection pool. `onError` is called when an idle connection breaks; without a listener, Node would exit. */
export function connect(url: string, onError: (error: Error) => void = () => undefined) {
  const pool = new pg.Pool({ connectionString: url, max: 10, connectionTimeoutMillis: 5000 });
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
  return Object.assign(db, { transaction });
}
