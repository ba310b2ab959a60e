import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createCustomer, startApp, type TestApp } from "@nido/test-kit/app";
import { testLong } from "@nido/test-kit/long";
import { ended, settings, signIn, start } from "@nido/test-kit/product";
import { TestVisitor } from "@nido/test-kit/visitor";
import { eventually } from "@nido/test-kit/waitUntil";
import { sql } from "drizzle-orm";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { Webhook } from "standardwebhooks";
import { describe, expect, onTestFinished, test } from "vitest";
import { startJobs } from "../jobs/startJobs.ts";
import { mailJobHandlers } from "./jobHandlers.ts";
import { mailCustomer, queueWaiting } from "./queueMail.ts";
import { openTransport } from "./sendMessage.ts";

/** A mail server that keeps the Message-ID and recipient of what it accepted. */
async function startSmtp(options: SMTPServerOptions = {}) {
  const accepted: { id: string; to: string; raw: string }[] = [];
  const server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    onData: async (stream, { envelope }, done) => {
      let raw = "";
      for await (const chunk of stream) raw += chunk;
      const id = /^message-id: (.*)$/im.exec(raw)?.[1]?.trim() ?? "";
      accepted.push({ id, to: envelope.rcptTo[0]?.address ?? "", raw });
      done();
    },
    ...options,
  });
  server.on("error", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  onTestFinished(() => new Promise<void>((resolve) => server.close(resolve)));
  return { accepted, url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}` };
}

async function startSending(server: TestApp) {
  const transport = openTransport(server.mail.smtpUrl as string);
  const stop = await startJobs(server.databaseUrl, mailJobHandlers(server.mail, transport), server.app.log);
  onTestFinished(async () => {
    await stop();
    transport.close();
  });
}

const statusesOf = async ({ db }: TestApp) => {
  const { rows } = await db.execute<{ status: string; count: number }>(
    sql`select status, count(*)::int as count from mail_messages group by status`,
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
};

test("a message is sent once, with its id as Message-ID, in the customer's language, and its secrets are forgotten", async () => {
  const smtp = await startSmtp();
  const server = await startApp({ smtpUrl: smtp.url });
  await new TestVisitor(server).post("/auth/signup", { email: "new@example.com", password: "Right1234", lang: "en" });
  await startSending(server);
  await eventually(() => expect(smtp.accepted).toHaveLength(1));
  const { rows } = await server.db.execute<{ id: string }>(sql`select id from mail_messages`);
  expect(smtp.accepted[0]).toMatchObject({ to: "new@example.com", id: `<${rows[0]?.id}@localhost>` });
  await eventually(async () => expect(await statusesOf(server)).toEqual({ sent: 1 }));
  expect((await server.db.execute(sql`select 1 from mail_messages where secrets is not null`)).rows).toEqual([]);
});

test("a fact that is undone sends nothing, and one that is processed twice sends one message", async () => {
  const smtp = await startSmtp();
  const server = await startApp({ smtpUrl: smtp.url });
  const id = await createCustomer(server);
  const undone = server.db.transaction(async (tx) => {
    await mailCustomer(tx, id, "passwordChanged", {});
    throw new Error("no");
  });
  await expect(undone).rejects.toThrow("no");
  for (let n = 0; n < 3; n++)
    await server.db.transaction((tx) =>
      mailCustomer(tx, id, "payoutRequested", { amount: 1, currency: "eur" }, "payout 1"),
    );
  await startSending(server);
  await eventually(async () => expect(await statusesOf(server)).toEqual({ sent: 1 }));
  expect(smtp.accepted).toHaveLength(1);
});

testLong(
  "a thousand messages to a server that fails every third time, hangs, and refuses some: none is lost",
  async () => {
    let connections = 0;
    const smtp = await startSmtp({
      onMailFrom: (_address, _session, done) => {
        connections++;
        if (connections % 400 === 0) return; // hangs
        if (connections % 3 === 0) return done(Object.assign(new Error("try later"), { responseCode: 451 }));
        done();
      },
      onRcptTo: ({ address }, _session, done) =>
        done(address.startsWith("gone") ? Object.assign(new Error("5.1.1 no such user"), { responseCode: 550 }) : null),
    });
    const server = await startApp({ smtpUrl: smtp.url });
    await server.db.execute(sql`
    insert into users (email, refcode)
    select case when n % 10 = 0 then 'gone' else 'here' end || n || '@example.com', 'r' || n from generate_series(1, 1000) n`);
    const { rows: users } = await server.db.execute<{ id: string; email: string }>(sql`select id, email from users`);
    for (const { id } of users) await mailCustomer(server.db, id, "passwordChanged", {});
    // Retried at once instead of after a growing delay.
    const hurry = setInterval(
      () =>
        void server.db
          .execute(sql`update graphile_worker._private_jobs set run_at = now() where run_at > now()`)
          .catch(() => undefined),
      500,
    );
    onTestFinished(() => clearInterval(hurry));
    await startSending(server);
    await eventually(async () => expect(await statusesOf(server)).toEqual({ sent: 900, refused: 100 }));
    expect(new Set(smtp.accepted.map(({ id }) => id)).size).toBe(900);
    expect((await server.db.execute(sql`select count(*)::int as n from mail_suppressions`)).rows).toEqual([{ n: 100 }]);

    // An address that does not exist gets no further message.
    const gone = users.find(({ email }) => email.startsWith("gone"));
    await mailCustomer(server.db, gone?.id ?? "", "passwordChanged", {});
    await eventually(async () => expect(await statusesOf(server)).toMatchObject({ suppressed: 1 }));
  },
);

testLong(
  "killed between the fact and its mail, the product sends the message after the restart, with the same Message-ID",
  async () => {
    const ids: string[] = [];
    let shouldKill = true;
    let product: Awaited<ReturnType<typeof start>> | undefined;
    const smtp = await startSmtp({
      onData: async (stream, _session, done) => {
        let raw = "";
        for await (const chunk of stream) raw += chunk;
        ids.push(/^message-id: (.*)$/im.exec(raw)?.[1]?.trim() ?? "");
        // Dies when the server has the message, before it can be recorded as sent.
        if (shouldKill) product?.child.kill("SIGKILL");
        done();
      },
    });
    const { env, origin } = await settings();
    const options = { env: { ...env, SMTP_URL: smtp.url } };
    product = await start(options);
    const reset = await fetch(`${origin}/auth/reset`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: "demo@nido.example", lang: "es" }),
    });
    expect(reset.status).toBe(200);
    await ended(product.child);
    shouldKill = false;
    product = await start(options);
    await eventually(() => expect(ids.length).toBeGreaterThan(1));
    expect(new Set(ids).size).toBe(1);
    expect(await signIn(origin)).toContain("nido_session");
  },
);

describe("limits", () => {
  test("one address gets fifty messages of a kind a day, and those of other kinds are not affected", async () => {
    const server = await startApp();
    const id = await createCustomer(server);
    for (let n = 0; n < 55; n++) await mailCustomer(server.db, id, "passwordChanged", {});
    expect(await statusesOf(server)).toEqual({ waiting: 50 });
    await mailCustomer(server.db, id, "welcome", {});
    expect(await statusesOf(server)).toEqual({ waiting: 51 });
  });

  test("a fault of the operator's mail server refuses no message and suppresses nobody", async () => {
    const smtp = await startSmtp({
      onMailFrom: (_address, _session, done) =>
        done(Object.assign(new Error("5.1.8 bad sender"), { responseCode: 550 })),
    });
    const server = await startApp({ smtpUrl: smtp.url });
    const id = await createCustomer(server);
    await mailCustomer(server.db, id, "passwordChanged", {});
    await startSending(server);
    await eventually(async () => {
      const { rows } = await server.db.execute(sql`select attempts from graphile_worker._private_jobs`);
      expect(rows).toEqual([{ attempts: 1 }]);
    });
    expect(await statusesOf(server)).toEqual({ waiting: 1 });
    expect((await server.db.execute(sql`select 1 from mail_suppressions`)).rows).toEqual([]);
  });

  test("a message that is too late is not sent", async () => {
    const smtp = await startSmtp();
    const server = await startApp({ smtpUrl: smtp.url });
    await new TestVisitor(server).post("/auth/signup", { email: "new@example.com", password: "Right1234", lang: "en" });
    await server.db.execute(sql`update mail_messages set expires_at = now()`);
    await startSending(server);
    await eventually(async () => expect(await statusesOf(server)).toEqual({ expired: 1 }));
    expect(smtp.accepted).toEqual([]);
  });
});

describe("reports of the mail provider", () => {
  const secret = `whsec_${Buffer.from("a secret of twenty-four b").toString("base64")}`;
  const event = (type: string, to: string, bounce?: string) =>
    JSON.stringify({ type, data: { to: [to], ...(bounce && { bounce: { type: bounce } }) } });

  async function report(server: TestApp, body: string, signed = body) {
    const at = new Date();
    const signature = new Webhook(secret).sign("msg_1", at, signed);
    const headers = {
      host: "localhost:3000",
      "content-type": "application/json",
      "webhook-id": "msg_1",
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
      "webhook-signature": signature,
    };
    return server.app.inject({ method: "POST", url: "/mail/webhook", headers, payload: body });
  }

  test("a bounce and a complaint suppress the address; a transient one and other events do not", async () => {
    const server = await startApp({ env: { MAIL_WEBHOOK_SECRET: secret } });
    await report(server, event("email.bounced", "Gone@example.com", "Permanent"));
    await report(server, event("email.complained", "cross@example.com"));
    await report(server, event("email.bounced", "full@example.com", "Transient"));
    await report(server, event("email.delivered", "fine@example.com"));
    expect((await report(server, "[]")).statusCode).toBe(200);
    const { rows } = await server.db.execute(sql`select address, reason from mail_suppressions order by address`);
    expect(rows).toEqual([
      { address: "cross@example.com", reason: "complained" },
      { address: "gone@example.com", reason: "bounced" },
    ]);
  });

  test("a wrong signature is refused, and without a secret there is no such address", async () => {
    const server = await startApp({ env: { MAIL_WEBHOOK_SECRET: secret } });
    const body = event("email.bounced", "ana@example.com", "Permanent");
    expect((await report(server, body, `${body} `)).statusCode).toBe(403);
    expect((await server.db.execute(sql`select 1 from mail_suppressions`)).rows).toEqual([]);
    expect((await report(await startApp(), body)).statusCode).toBe(404);
  });
});

test("messages that were written without a mail server are sent once there is one, each once", async () => {
  const smtp = await startSmtp();
  const server = await startApp({ smtpUrl: smtp.url });
  const id = await createCustomer(server);
  await mailCustomer(server.db, id, "passwordChanged", {});
  await new TestVisitor(server).post("/auth/reset", { email: "ana@example.com", lang: "es" });
  // A worker without a mail server does the jobs, and the messages stay; the other job still waits.
  await server.db.execute(sql`delete from graphile_worker._private_jobs where key like 'sendMessage:%'`);
  await queueWaiting(server.db);
  expect((await server.db.execute(sql`select 1 from graphile_worker._private_jobs`)).rows).toHaveLength(2);
  await startSending(server);
  await eventually(async () => expect(await statusesOf(server)).toEqual({ sent: 2 }));
  expect(smtp.accepted).toHaveLength(2);
});

test("a complaint stops what can be turned off, and nothing else", async () => {
  const smtp = await startSmtp();
  const server = await startApp({ smtpUrl: smtp.url });
  const id = await createCustomer(server);
  await server.db.execute(
    sql`insert into mail_suppressions (address, reason) values ('ana@example.com', 'complained')`,
  );
  await mailCustomer(server.db, id, "welcome", {});
  await mailCustomer(server.db, id, "passwordChanged", {});
  await startSending(server);
  await eventually(async () => expect(await statusesOf(server)).toEqual({ sent: 1, suppressed: 1 }));
});

describe("unsubscribing", () => {
  test("by one click of the mail program turns the topic off, and no other", async () => {
    const server = await startApp();
    const id = await createCustomer(server);
    const url = new URL(server.mail.unsubscribe.urlFor(id, "sites"));
    const click = () =>
      server.app.inject({
        method: "POST",
        url: url.pathname,
        headers: { host: "localhost:3000", "content-type": "application/x-www-form-urlencoded" },
        payload: "List-Unsubscribe=One-Click",
      });
    expect((await click()).statusCode).toBe(200);
    expect((await click()).statusCode).toBe(200);
    const params = { projectId: "1", name: "x", version: "6.9" };
    await mailCustomer(server.db, id, "wordpressUpdated", params);
    await mailCustomer(server.db, id, "domainVerified", { ...params, domain: "x.example" });
    await mailCustomer(server.db, id, "passwordChanged", {});
    const { rows } = await server.db.execute(sql`select template from mail_messages order by template`);
    expect(rows).toEqual([{ template: "domainVerified" }, { template: "passwordChanged" }]);
  });

  test.each([
    ["another customer", (path: string) => path.replace(/[0-9a-f-]{36}/, crypto.randomUUID())],
    ["another topic", (path: string) => path.replace("sites", "domains")],
    ["nonsense", () => "/mail/unsubscribe/x"],
  ])("needs our signature: %s", async (_what, change) => {
    const server = await startApp();
    const id = await createCustomer(server);
    const { pathname } = new URL(server.mail.unsubscribe.urlFor(id, "sites"));
    const response = await server.app.inject({
      method: "POST",
      url: change(pathname),
      headers: { host: "localhost:3000" },
    });
    expect(response.statusCode).toBe(410);
  });
});
