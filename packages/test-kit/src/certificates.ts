import { randomBytes } from "node:crypto";
import { connect as connectTls } from "node:tls";
import { insertUser } from "@nido/server/account/queries";
import { connect } from "@nido/server/db/connect";
import { insertDomain } from "@nido/server/domains/queries";
import { sql } from "drizzle-orm";
import { onTestFinished } from "vitest";
import { startHttpsProduct } from "./httpsProduct.ts";
import { addProject } from "./seed.ts";

/** Less than what one customer may order a day. */
const domainsOfOne = 15;

/** Whether a TLS handshake with this server name (SNI) succeeds. */
export function shakeHands(port: number, servername: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectTls({ host: "127.0.0.1", port, servername, rejectUnauthorized: false });
    socket.once("error", () => resolve(false)).once("close", () => resolve(false));
    socket.once("secureConnect", () => {
      resolve(true);
      socket.destroy();
    });
  });
}

/** The product with HTTPS, and what tests of its certificates need. */
export async function startProduct(options: Parameters<typeof startHttpsProduct>[0]) {
  const product = await startHttpsProduct(options);
  const db = connect(product.databaseUrl);
  onTestFinished(async () => {
    await db.$client.end();
    await product.stop();
  });
  const run = (job: string, queue: string) =>
    db.execute(
      sql`select graphile_worker.add_job(${job}::text, '{}', queue_name := ${queue}::text, job_key := ${job}::text)`,
    );
  return {
    ...product,
    db,
    plan: () => run("planCertificates", "certificates"),
    reconcile: () => run("reconcileCertificates", "certificates"),
    /** Adds domains whose records are right, and has them verified. */
    addDomains: async (...domains: string[]) => {
      for (let first = 0; first < domains.length; first += domainsOfOne) {
        const folio = `folio${randomBytes(4).toString("hex")}`;
        const userId = (await insertUser(db, { email: `${folio}@example.com`, givenName: "Ana" })) as string;
        const projectId = await addProject(db, userId, folio, { recipe: "static_starter" });
        for (const domain of domains.slice(first, first + domainsOfOne)) {
          await options.names.set(domain, "CNAME", `${folio}.sites.localhost.`);
          await db.transaction((tx) => insertDomain(tx, { projectId, name: domain, domain }));
        }
      }
      await run("checkDomains", "domains");
    },
    rowOf: async (name: string) => {
      const { rows } = await db.execute(sql`select * from certificates where name = ${name}`);
      return rows[0];
    },
    countOrders: async (status: string) => {
      const { rows } = await db.execute(
        sql`select count(*)::int count from certificate_orders where status = ${status}`,
      );
      return Number(rows[0]?.["count"]);
    },
  };
}
