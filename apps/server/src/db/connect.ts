import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";

export type Db = ReturnType<typeof connect>;
export type Tx = Parameters<Parameters<Db["transaction"]>[0]>[0];

/** A pool of connections. `onError` hears of idle ones that broke; without it, Node would end the process. */
export function connect(url: string, onError: (error: Error) => void = () => undefined) {
  const pool = new pg.Pool({ connectionString: url, max: 10, connectionTimeoutMillis: 5000 });
  pool.on("error", onError);
  pool.on("connect", (client) => client.on("error", onError));
  const db = drizzle({ client: pool });

  // Its own takes a connection and does not give it back where `begin` fails: ten of those, and the pool is empty.
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
