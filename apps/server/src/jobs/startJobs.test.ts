import { setTimeout as pause } from "node:timers/promises";
import { createDatabase, whileAway } from "@nido/test-kit/database";
import { addProject } from "@nido/test-kit/seed";
import { eventually } from "@nido/test-kit/waitUntil";
import { sql } from "drizzle-orm";
import fastify from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { insertUser } from "../account/queries.ts";
import { syncCustomerJob, syncInvoiceJob } from "../billing/jobs.ts";
import { connect } from "../db/connect.ts";
import { compressDeployJob } from "../deploys/jobs.ts";
import { backUpSiteJob, moveSiteJob, provisionWordPressJob, updateSiteJob } from "../wordpress/jobs.ts";
import { handleJob, type JobHandler, jobPools } from "./defineJob.ts";
import { enqueue } from "./enqueue.ts";
import { startJobs } from "./startJobs.ts";

async function openQueue(...handlers: JobHandler[]) {
  const url = await createDatabase();
  const db = connect(url);
  onTestFinished(() => db.$client.end());
  const { log } = fastify();
  const start = async () => {
    const stop = await startJobs(url, handlers, log);
    onTestFinished(stop);
    return stop;
  };
  return { url, db, start };
}

test("a job is enqueued only if its transaction commits, and jobs with the same key run once", async () => {
  const done: string[] = [];
  const { db, start } = await openQueue(handleJob(syncCustomerJob, async ({ userId }) => done.push(userId)));
  await db.transaction((tx) => enqueue(tx, syncCustomerJob, { userId: "a" }));
  await db.transaction((tx) => enqueue(tx, syncCustomerJob, { userId: "a" }));
  const undone = db.transaction(async (tx) => {
    await enqueue(tx, syncCustomerJob, { userId: "b" });
    throw new Error("no");
  });
  await expect(undone).rejects.toThrow("no");
  await start();
  await eventually(() => expect(done).toEqual(["a"]));
});

test("jobs with the same orderBy run one at a time", async () => {
  let running = 0;
  let most = 0;
  let count = 0;
  const { db, start } = await openQueue(
    handleJob(syncInvoiceJob, async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 20));
      running--;
      count++;
    }),
  );
  for (let index = 0; index < 10; index++) await enqueue(db, syncInvoiceJob, { invoiceId: `in_${index}` }, "cus_1");
  await start();
  await eventually(() => expect(count).toBe(10));
  expect(most).toBe(1);
});

test("a job whose worker loses the database is run again by a new worker", async () => {
  const runs: string[] = [];
  let goOn: () => void = () => undefined;
  const { url, db, start } = await openQueue(
    handleJob(syncInvoiceJob, async ({ invoiceId }) => {
      runs.push(invoiceId);
      if (runs.length === 1) await new Promise<void>((resolve) => (goOn = resolve));
    }),
  );
  await enqueue(db, syncInvoiceJob, { invoiceId: "in_1" }, "cus_1");
  await start();
  await eventually(() => expect(runs).toEqual(["in_1"]));
  await whileAway(url, async () => {
    goOn();
    await new Promise((resolve) => setTimeout(resolve, 300));
  });
  await enqueue(db, syncInvoiceJob, { invoiceId: "in_2" }, "cus_1");
  await eventually(() => expect(runs).toContain("in_2"));
  expect(runs.filter((run) => run === "in_1").length).toBeGreaterThan(1);
});

test.each([moveSiteJob, backUpSiteJob])(
  "one customer's slow jobs delay neither a neighbour's nor the platform's: $name",
  async (job) => {
    const done: string[] = [];
    const hog = Promise.withResolvers<void>();
    const { db, start } = await openQueue(
      handleJob<{ projectId: string }>(job, async ({ projectId }) => {
        if (hogged.has(projectId)) await hog.promise;
        done.push(projectId);
      }),
      handleJob(syncCustomerJob, async ({ userId }) => done.push(userId)),
    );
    const [ana, bea] = await Promise.all(
      ["ana", "bea"].map((name) => insertUser(db, { email: `${name}@example.com` })),
    );
    const projectsOf = (userId: string, names: string[]) =>
      Promise.all(names.map((name) => addProject(db, userId, name)));
    const hogged = new Set(
      await projectsOf(
        ana as string,
        Array.from({ length: 12 }, (_, n) => `hogsite${n}`),
      ),
    );
    const [neighbour = ""] = await projectsOf(bea as string, ["beasite"]);
    for (const projectId of hogged) await enqueue(db, job, { projectId });
    await start();
    await enqueue(db, job, { projectId: neighbour });
    await enqueue(db, syncCustomerJob, { userId: "paying" });
    await eventually(() => expect(done.toSorted()).toEqual([neighbour, "paying"].toSorted()));
    hog.resolve();
    await eventually(() => expect(done).toHaveLength(hogged.size + 2));
  },
);

test("slow jobs of many customers, whatever they do to sites, delay no payment", async () => {
  const done: string[] = [];
  const hog = Promise.withResolvers<void>();
  let held = 0;
  const hold = async () => {
    held++;
    await hog.promise;
    done.push("held");
  };
  const { db, start } = await openQueue(
    handleJob(moveSiteJob, hold),
    handleJob(provisionWordPressJob, hold),
    handleJob(backUpSiteJob, hold),
    handleJob(updateSiteJob, hold),
    handleJob(compressDeployJob, hold),
    handleJob(syncCustomerJob, async ({ userId }) => done.push(userId)),
  );
  const customers = jobPools.platform + 1;
  for (let n = 0; n < customers; n++) {
    const userId = (await insertUser(db, { email: `hog${n}@example.com` })) as string;
    const projectId = await addProject(db, userId, `hogsite${n}`);
    for (const job of [moveSiteJob, backUpSiteJob, updateSiteJob])
      await enqueue<{ projectId: string }>(db, job, { projectId });
    await enqueue(db, provisionWordPressJob, { projectId, taskId: "task", username: "ana" });
    await enqueue(db, compressDeployJob, { deployId: `deploy${n}`, userId });
  }
  await start();
  // Until they occupy all the workers that they can get: an idle worker looks for a job every second.
  for (let before = -1; held !== before; await pause(3000)) before = held;
  expect(held).toBeGreaterThan(0);
  await enqueue(db, syncCustomerJob, { userId: "paying" });
  await eventually(() => expect(done).toEqual(["paying"]));
  hog.resolve();
  await eventually(() => expect(done).toHaveLength(5 * customers + 1));
});

test("a job loses no attempt by the death of its worker, unless that happens again and again", async () => {
  const done: string[] = [];
  const { db, start } = await openQueue(handleJob(syncCustomerJob, async ({ userId }) => done.push(userId)));
  for (const userId of ["last", "always", "replaced"]) await enqueue(db, syncCustomerJob, { userId });
  const die = (userId: string, change: string) =>
    db.execute(
      sql`update graphile_worker._private_jobs set ${sql.raw(change)}, locked_by = 'dead', locked_at = now() - interval '1 minute'
        where key = ${`syncCustomer:${userId}`}`,
    );
  await die("last", "attempts = 3, max_attempts = 3");
  await die("always", "attempts = 10, max_attempts = 10");
  // This is what a newer job with its key leaves of a job that runs.
  await die("replaced", "attempts = 3, max_attempts = 3, key = null");
  await start();
  await eventually(() => expect(done).toEqual(["last"]));
  await enqueue(db, syncCustomerJob, { userId: "next" });
  await eventually(() => expect(done).toEqual(["last", "next"]));
});
