import { join } from "node:path";
import { findCredentials } from "@nido/server/account/queries";
import { openSession } from "@nido/server/auth/sessions";
import { isNameHeld } from "@nido/server/billing/checkout/queries";
import { connect, type Db } from "@nido/server/db/connect";
import { startEmbeddedPostgres } from "@nido/server/db/embeddedPostgres";
import { migrate } from "@nido/server/db/migrate";
import { findSite } from "@nido/server/domains/findSite";
import { findDue } from "@nido/server/domains/queries";
import { isNameTaken } from "@nido/server/projects/queries";
import { loadState } from "@nido/server/state/loadState";
import { claimCron, claimMail, findUnsaved } from "@nido/server/wordpress/dueSites";
import { sql } from "drizzle-orm";
import { Client } from "pg";
import type { Report } from "../Benchmark.ts";
import { makeWorkFolder } from "../makeWorkFolder.ts";
import { median } from "../median.ts";
import { fillDatabase } from "./fillDatabase.ts";

const [few, many] = [1000, Number(process.env["BENCH_PROJECTS"] ?? 1_000_000)];
const [rounds, calls] = [5, 30];
const sites = { scheme: "https:", domain: "sites.example", appHost: "app.example", addresses: [], hasWildcard: true };

type Ask = (db: Db, n: number) => Promise<unknown>;

/** What the product asks the database for, by name. `n` is a random project. */
const questions: Record<string, Ask> = {
  "GET /redux": async (db, n) => {
    const credentials = await findCredentials(db, `customer${Math.ceil(n / 2)}@example.com`);
    return loadState(db, credentials?.id ?? "", sites);
  },
  "host to site": (db, n) => findSite(db, `www.d${n}.example`),
  "name to site": (db, n) => findSite(db, `site${n}`),
  "is a name free": async (db, n) => (await isNameTaken(db, `free${n}`)) || isNameHeld(db, `free${n}`, undefined),
  "sign-in without the hash": async (db, n) => {
    const credentials = await findCredentials(db, `customer${Math.ceil(n / 2)}@example.com`);
    return db.transaction((tx) => openSession(tx, credentials?.id ?? "", { userAgent: "", place: "" }, 30));
  },
  "a site whose WP-Cron is due": (db) => claimCron(db, 1),
  "a site with mail": (db) => claimMail(db, 1),
  "twenty domains to check": (db) => findDue(db, 20),
  "twenty sites to back up": (db) => findUnsaved(db, 20),
};

/** A claimed site is not due any longer, so that another one has to be. */
const makeDue: Ask = (db) =>
  db.execute(sql`update wordpress_sites set next_cron_at = now() - interval '3 hours',
    mail_due_at = now() - interval '3 hours' where project_id = (
      select project_id from wordpress_sites where next_cron_at > now() order by next_cron_at limit 1)`);

/** The same questions to a database with a thousand projects and to one with a million. */
export async function benchScale(report: Report) {
  await using cleanups = new AsyncDisposableStack();
  const folder = makeWorkFolder(cleanups);
  const postgres = await startEmbeddedPostgres(join(folder, "data"));
  cleanups.defer(() => postgres.stop());
  const databases = new Map<number, Db>();
  for (const projects of [few, many]) databases.set(projects, await open(cleanups, postgres.url, projects));
  for (const [name, ask] of Object.entries(questions)) {
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const [small, large] = [await time(ask, databases, few), await time(ask, databases, many)];
      ratios.push(large / small);
    }
    report({
      name: `${name}, ${many.toLocaleString("en")} projects`,
      peer: `${few.toLocaleString("en")} projects`,
      measure: "time",
      ratios,
    });
  }
}

async function open(cleanups: AsyncDisposableStack, url: string, projects: number): Promise<Db> {
  const name = `scale${projects}`;
  const administrator = new Client({ connectionString: url });
  await administrator.connect();
  await administrator.query(`create database ${name}`);
  await administrator.end();
  const own = url.replace("/nido?", `/${name}?`);
  await migrate(own);
  const client = new Client({ connectionString: own });
  await client.connect();
  const { files, size } = await fillDatabase(client, projects);
  await client.end();
  console.log(`  (${projects.toLocaleString("en")} projects, ${files.toLocaleString("en")} files in deploys: ${size})`);
  const db = connect(own);
  cleanups.defer(() => db.$client.end());
  return db;
}

/** The median time of some calls, in milliseconds. */
async function time(ask: Ask, databases: Map<number, Db>, projects: number) {
  const db = databases.get(projects) as Db;
  const times: number[] = [];
  for (let call = 0; call < calls; call++) {
    const n = 1 + Math.floor(Math.random() * projects);
    await makeDue(db, n);
    const began = performance.now();
    await ask(db, n);
    times.push(performance.now() - began);
  }
  return median(times);
}
