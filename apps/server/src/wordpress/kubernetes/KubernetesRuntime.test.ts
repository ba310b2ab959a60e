import { execFileSync } from "node:child_process";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Recipe } from "@nido/contract";
import { listen, startApp } from "@nido/test-kit/app";
import { openCluster, whyNoCluster } from "@nido/test-kit/cluster";
import { type Answer, ask, openSites, type Question, type Sites, type TestSite } from "@nido/test-kit/sites";
import { eventually } from "@nido/test-kit/waitUntil";
import { eq, sql } from "drizzle-orm";
import { createConnection } from "mariadb";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { clusterSites, projects, wordpressSites } from "../../db/schema.ts";
import { findJob } from "../../jobs/enqueue.ts";
import { SecretBox } from "../../platform/SecretBox.ts";
import { findOwnProject, setPurchase } from "../../projects/queries.ts";
import { applyPlanJob } from "../jobs.ts";
import { archiveSite } from "../lifecycle/archiveSite.ts";
import { restoreSite } from "../lifecycle/restoreSite.ts";
import { findWordPress } from "../queries.ts";
import { requestPlan } from "../requestPlan.ts";
import { issueSsoToken } from "../ssoTokens.ts";
import { backUp } from "../upkeep/backups.ts";
import { measureSites } from "../upkeep/measureSites.ts";
import { runCron } from "../upkeep/runCron.ts";
import { sendMail } from "../upkeep/sendMail.ts";
import { siteOf } from "../WordPress.ts";
import { findWork } from "../work.ts";
import { AgentClient } from "./AgentClient.ts";
import { applyPlan } from "./applyPlan.ts";
import { ClusterSites } from "./ClusterSites.ts";
import type { KubernetesRuntime } from "./KubernetesRuntime.ts";
import { moveLostSites } from "./moveLostSites.ts";
import { reconcileCluster } from "./reconcileCluster.ts";
import { restSites } from "./restSites.ts";
import { objectName, siteLabel } from "./siteObjects.ts";

const reason = whyNoCluster();
if (reason) console.log(`Skipped: WordPress on Kubernetes, because ${reason}.`);

/** A node that may be cut off, and shell commands that do so and undo it: they depend on the cluster. */
const { NIDO_TEST_NODE: node, NIDO_TEST_NODE_DOWN: nodeDown, NIDO_TEST_NODE_UP: nodeUp } = process.env;
const cannotCut = !node || !nodeDown || !nodeUp;
if (!reason && cannotCut)
  console.log(
    "Skipped: a node is cut off, because NIDO_TEST_NODE, NIDO_TEST_NODE_DOWN and NIDO_TEST_NODE_UP are not set.",
  );

describe.skipIf(reason)("WordPress on Kubernetes", () => {
  let cluster: Awaited<ReturnType<typeof openCluster>>;
  let sites: Sites;
  let runtime: KubernetesRuntime;
  let blog: TestSite;
  let neighbour: TestSite;
  /** another edge, which may only wake sites */
  let edge: (path: string, question?: Question) => Promise<Answer>;
  const undos: (() => Promise<void>)[] = [];
  const whenDone = (undo: () => Promise<void>) => void undos.unshift(undo);

  beforeAll(async () => {
    cluster = await openCluster(whenDone);
    sites = await openSites(whenDone, cluster.env);
    runtime = sites.server.wordpress.runtime as KubernetesRuntime;
    const { databaseUrl } = sites.server;
    const roles = { ROLES: "edge", DATABASE_URL: databaseUrl, STRIPE_SECRET_KEY: "sk_x", STRIPE_WEBHOOK_SECRET: "w" };
    const address = await listen(await startApp({ databaseUrl, env: { ...cluster.env, ...roles }, whenDone }));
    edge = (path, question) => ask(address, "anasite.localhost:3000", path, question);
    blog = await sites.open("anasite");
    neighbour = await sites.open("beasite");
  });
  afterAll(async () => {
    for (const undo of undos) await undo();
  });

  const podOf = ({ id }: TestSite) => {
    const [pod] = runtime.pods.of(id);
    if (!pod) throw new Error("the site has no pod");
    return pod;
  };

  const kubectl = (...args: string[]) =>
    execFileSync("kubectl", ["-n", cluster.namespace, ...args], { stdio: ["ignore", "pipe", "pipe"] }).toString();

  /** Runs a shell command in the site's pod. */
  function execute(site: TestSite, container: "php" | "agent", command: string, input = "") {
    const args = ["-n", cluster.namespace, "exec", "-i", podOf(site).name, "-c", container, "--", "sh", "-c", command];
    return execFileSync("kubectl", args, { input, encoding: "utf8", stdio: ["pipe", "pipe", "pipe"] });
  }

  /** Runs PHP code in the site. */
  async function run(site: TestSite, code: string) {
    const name = `p${Math.random().toString(36).slice(2)}.php`;
    const folder = "/site/wp-content/plugins/probe";
    const program = `<?php\nrequire '/opt/wordpress/wordpress/wp-load.php'; wp_set_current_user(1); ${code}`;
    execute(site, "php", `mkdir -p ${folder} && cat > ${folder}/${name}`, program);
    return site.ask(`/wp-content/plugins/probe/${name}`);
  }

  async function rowOf(site: TestSite) {
    const row = await findWordPress(sites.server.db, site.id);
    if (!row) throw new Error("the site is gone");
    return row;
  }

  const makeDue = (site: TestSite) =>
    sites.server.db.execute(
      sql`update wordpress_sites set mail_due_at = now(), next_cron_at = now() where project_id = ${site.id}`,
    );

  test("serves pages and files from its pod, and the owner comes in with one click", async () => {
    const home = await blog.ask("/");
    expect([home.status, /<html lang="es(-ES)?">/.test(home.text)]).toEqual([200, true]);
    const file = await blog.ask("/wp-includes/css/dashicons.css");
    expect([file.status, file.headers["content-type"]]).toEqual([200, "text/css; charset=utf-8"]);
    const etag = String(file.headers.etag);
    expect((await blog.ask("/wp-includes/css/dashicons.css", { headers: { "if-none-match": etag } })).status).toBe(304);
    expect((await blog.ask("/wp-content/uploads/nothing.jpg")).status).toBe(404);
    expect((await blog.ask("/wp-admin")).headers.location).toBe("/wp-admin/");
    expect((await blog.ask("/wp-content/../../../etc/passwd")).status).toBe(404);
    const token = await issueSsoToken(sites.server.db, blog.id);
    const entered = await blog.ask("/nido-sso", { form: { token } });
    expect([entered.status, entered.headers.location]).toEqual([303, expect.stringContaining("/wp-admin/")]);
  });

  test("a change made through one edge is seen by visitors of the other", async () => {
    for (let round = 0; round < 3; round++) {
      await eventually(async () => expect((await edge("/")).headers["x-cache"]).toBe("hit"));
      await run(blog, `update_option('blogname', 'Ronda ${round}');`);
      await eventually(async () => expect((await edge("/")).text).toContain(`<title>Ronda ${round}`), {
        intervalMs: 20,
      });
    }
  });

  test("WP-Cron runs, mail is sent, and disk use is measured", async () => {
    const { wordpress, db } = sites.server;
    const received: string[] = [];
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS"],
      onData: (stream, _session, done) =>
        void text(stream).then((message) => {
          received.push(message);
          done();
        }),
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
    onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
    await run(blog, "wp_mail('bea@example.com', 'Hola', 'Un saludo'); wp_schedule_single_event(time() - 10, 'probe');");
    const { port } = server.server.address() as AddressInfo;
    await sendMail(wordpress, {
      isFree: async () => true,
      smtpUrl: `smtp://127.0.0.1:${port}`,
      from: "post@nido.example",
    });
    expect(received).toEqual([expect.stringContaining("Un saludo")]);
    await makeDue(blog);
    await runCron(wordpress);
    const [row] = await db.select().from(wordpressSites).where(eq(wordpressSites.projectId, blog.id));
    expect(row?.nextCronAt?.getTime()).toBeGreaterThan(Date.now());
    await measureSites(wordpress);
    const [project] = await db.select().from(projects).where(eq(projects.id, blog.id));
    expect(project?.diskUsed).toBeGreaterThan(10_000);
  });

  test("a backup goes to the bucket, and restores files, database and secrets", async () => {
    const { wordpress } = sites.server;
    await run(
      blog,
      "update_option('blogname', 'Antes'); file_put_contents(WP_CONTENT_DIR . '/uploads/a.txt', 'before');",
    );
    const name = await backUp(wordpress, siteOf(wordpress, await rowOf(blog)));
    expect(await wordpress.backups.list(blog.id)).toEqual([name]);
    await run(
      blog,
      "update_option('blogname', 'Después'); file_put_contents(WP_CONTENT_DIR . '/uploads/a.txt', 'after');",
    );
    const salt = (await run(blog, "echo AUTH_SALT;")).text;
    await restoreSite(wordpress, blog.id, { backup: name });
    expect((await blog.ask("/")).text).toContain("<title>Antes");
    expect((await blog.ask("/wp-content/uploads/a.txt")).text).toBe("before");
    expect((await run(blog, "echo AUTH_SALT;")).text).toBe(salt);
  });

  test("another plan changes memory and volume: the site is held, and nothing of it is lost, even if that is interrupted", async () => {
    const { wordpress, db } = sites.server;
    const choose = async (recipe: Recipe) => {
      await db.transaction(async (tx) => {
        const project = await findOwnProject(tx, blog.userId, blog.id);
        if (!project) throw new Error("the project is gone");
        await setPurchase(tx, blog.id, { subId: project.subId, recipe, recipeId: project.recipeId });
        await requestPlan(tx, blog.id);
      });
      expect(await findJob(db, applyPlanJob, blog.id)).toMatchObject({ is_over: false });
    };
    const apply = () => applyPlan(wordpress, runtime, blog.id);
    const volumes = () => {
      const { items } = JSON.parse(kubectl("get", "pvc", "-l", `${siteLabel}=${blog.id}`, "-o", "json")) as {
        items: { metadata: { deletionTimestamp?: string }; spec: { resources: { requests: { storage: string } } } }[];
      };
      return items
        .filter(({ metadata }) => !metadata.deletionTimestamp)
        .map(({ spec }) => spec.resources.requests.storage)
        .join(" ");
    };
    const seen = async () => ({
      volumes: volumes(),
      memory: (await run(blog, "echo ini_get('memory_limit');")).text,
      file: (await blog.ask("/wp-content/uploads/plan.txt")).text,
      title: /<title>(\w+)/.exec((await blog.ask("/")).text)?.[1],
    });
    await run(
      blog,
      "update_option('blogname', 'Plan'); file_put_contents(WP_CONTENT_DIR . '/uploads/plan.txt', 'kept');",
    );
    const salt = (await run(blog, "echo AUTH_SALT;")).text;
    const content = { file: "kept", title: "Plan" };
    expect(await seen()).toEqual({ ...content, volumes: "15G", memory: "128M" });

    await choose("wordpress_business");
    await apply();
    expect(await seen()).toEqual({ ...content, volumes: "40G", memory: "512M" });
    expect((await run(blog, "echo AUTH_SALT;")).text).toBe(salt);
    expect(await rowOf(blog)).toMatchObject({ isMoving: false });
    const { length } = await wordpress.backups.list(blog.id);
    await apply();
    expect(await wordpress.backups.list(blog.id)).toHaveLength(length);

    // The new volume cannot be filled: the site goes on with the old one.
    await choose("wordpress_pro");
    vi.spyOn(runtime.sites, "setVolume").mockRejectedValueOnce(new Error("the database does not answer"));
    await expect(apply()).rejects.toThrow("the database does not answer");
    expect(await rowOf(blog)).toMatchObject({ isMoving: false });
    expect(await seen()).toMatchObject({ ...content, memory: "256M" });

    // The worker dies while it fills the new volume: no PHP runs for visitors until the next attempt.
    await runtime.podManager.openVolume(siteOf(wordpress, await rowOf(blog)), `${objectName(blog.id)}-lost`);
    await db.execute(sql`update wordpress_sites set is_moving = true, work = '{"id": "plan", "kind": "plan", "progress": 0.5, "holdsVisitors": true}'
      where project_id = ${blog.id}`);
    await eventually(async () => expect((await blog.ask("/wp-login.php")).status).toBe(503));
    await expect(runtime.podManager.findAwake(blog.id)).resolves.toBeUndefined();
    await apply();
    expect(await findWork(db, blog.id)).toBeNull();
    expect(await seen()).toEqual({ ...content, volumes: "25G", memory: "256M" });

    await choose("wordpress_starter");
    vi.spyOn(runtime, "diskUse").mockResolvedValueOnce(20 * 1024 ** 3);
    await apply();
    expect(await seen()).toEqual({ ...content, volumes: "25G", memory: "128M" });

    await run(blog, "wp_mail('bea@example.com', 'Hola', 'Un saludo');");
    await expect(apply()).rejects.toThrow("mail that waits");
    expect(await seen()).toEqual({ ...content, volumes: "25G", memory: "128M" });
    const [message = ""] = await runtime.listMail(blog.id, 1);
    await runtime.removeMail(blog.id, message);
    await apply();
    expect(await seen()).toEqual({ ...content, volumes: "15G", memory: "128M" });
  });

  test("a site that nobody needs sleeps, and is woken once by the requests of all edges", async () => {
    const { wordpress, db } = sites.server;
    const hit = () => edge("/").then(({ headers }) => headers["x-cache"]);
    await eventually(async () => expect(await hit()).toBe("hit"));
    await db.execute(sql`update wordpress_sites set active_at = now() - interval '1 hour', mail_due_at = null
      where project_id = ${blog.id}`);
    const isFree = async () => true;
    await restSites(wordpress, runtime, { idleMinutes: 30, isFree });
    // It was woken only a moment ago, perhaps for a backup.
    expect(runtime.pods.of(blog.id)).toHaveLength(1);
    await restSites(wordpress, runtime, { idleMinutes: 0, isFree: async () => false });
    await restSites(wordpress, runtime, { idleMinutes: 0, isFree });
    await eventually(() => expect(runtime.pods.of(blog.id)).toEqual([]));
    expect(await hit()).toBe("hit");
    expect(runtime.pods.of(blog.id)).toEqual([]);
    expect((await neighbour.ask("/wp-login.php")).status).toBe(200);
    const began = Date.now();
    const names = new Set<string>();
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const answer = await (index % 2 ? edge("/wp-login.php") : blog.ask("/wp-login.php"));
        for (const { name } of runtime.pods.of(blog.id)) names.add(name);
        return answer.status;
      }),
    );
    console.log(`A sleeping site answered after ${Date.now() - began} ms.`);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(names.size).toBe(1);
  });

  test("a pod answers nobody without its own key, and a reused address is never answered for another site", async () => {
    const { db } = sites.server;
    const secrets = new ClusterSites(db, new SecretBox([cluster.env.ENCRYPTION_KEY]));
    const [own, other] = [await secrets.find(blog.id), await secrets.find(neighbour.id)];
    const agents = new AgentClient();
    onTestFinished(() => agents.stop());
    const report = (siteId: string, address: string, key: Buffer) =>
      agents
        .send({ siteId, address, key }, { method: "GET", path: "/report", timeoutMs: 5000 })
        .then(({ statusCode }) => statusCode);
    const address = podOf(blog).address;
    const [right, wrong] = [own?.key as Buffer, other?.key as Buffer];
    expect(await report(blog.id, address, right)).toBe(200);
    await expect(report(neighbour.id, address, wrong)).rejects.toThrow();
    await expect(report(blog.id, address, wrong)).rejects.toThrow();
    // As if the neighbour's pod had been given the address of the blog's.
    await expect(report(blog.id, podOf(neighbour).address, right)).rejects.toThrow();
    // From inside the pod, too: PHP cannot speak to its own agent, and sees neither its key nor any token.
    const seen = await run(
      blog,
      "echo json_encode([@file_get_contents('/run/nido/agent/key'), file_exists('/var/run/secrets'), @fsockopen('127.0.0.1', 9000)]);",
    );
    expect(seen.text).toBe("[false,false,false]");
  });

  test("a site that eats memory is killed alone", async () => {
    expect(() => execute(blog, "php", "tail /dev/zero")).toThrow();
    expect((await neighbour.ask("/wp-login.php")).status).toBe(200);
    await eventually(async () => expect((await blog.ask("/wp-login.php")).status).toBe(200));
  });

  test("a deployment that was deleted is created again, and foreign objects are only reported", async () => {
    const { wordpress } = sites.server;
    kubectl("delete", "deployment", objectName(neighbour.id), "--wait=true");
    await reconcileCluster(wordpress, runtime);
    expect(kubectl("get", "deployment", "-o", "name")).toContain(objectName(neighbour.id));
    await eventually(async () => expect((await neighbour.ask("/wp-login.php")).status).toBe(200));
  });

  test.skipIf(cannotCut)(
    "sites of a node that is cut off go on elsewhere, and its old pods are powerless",
    async () => {
      const { wordpress, db } = sites.server;
      const others = kubectl("get", "nodes", "-o", "name")
        .split(/\s+/)
        .filter((name) => name && name !== `node/${node}`);
      for (const other of others) kubectl("cordon", other);
      kubectl("delete", "pod", podOf(blog).name, "--wait=false");
      await eventually(async () => {
        expect(podOf(blog)).toMatchObject({ node, isReady: true });
        expect((await blog.ask("/wp-login.php")).status).toBe(200);
      });
      for (const other of others) kubectl("uncordon", other);

      const old = podOf(blog);
      const secrets = new ClusterSites(db, new SecretBox([cluster.env.ENCRYPTION_KEY]));
      const before = await secrets.find(blog.id);
      const began = Date.now();
      let isUp = false;
      const up = () => {
        if (!isUp) execFileSync("sh", ["-c", nodeUp ?? ""]);
        isUp = true;
      };
      onTestFinished(up);
      execFileSync("sh", ["-c", nodeDown ?? ""]);
      await eventually(async () => {
        await moveLostSites(wordpress, runtime);
        expect(runtime.pods.of(blog.id)).toMatchObject([{ isReady: true }]);
        expect(podOf(blog).node).not.toBe(node);
        expect((await blog.ask("/wp-login.php")).status).toBe(200);
      });
      console.log(`A site of a lost node answered again after ${Math.round((Date.now() - began) / 1000)} s.`);
      up();
      // The old pod is back for a moment, with the old key and the old password.
      const database = before?.database as NonNullable<typeof before>["database"];
      const [host = "", port] = database.host.split(":");
      const access = { host, port: Number(port), user: database.name, password: database.password };
      await expect(createConnection(access)).rejects.toThrow(/Access denied/);
      const after = await new ClusterSites(db, new SecretBox([cluster.env.ENCRYPTION_KEY])).find(blog.id);
      const agents = new AgentClient();
      onTestFinished(() => agents.stop());
      const toOld = { siteId: blog.id, address: old.address, key: after?.key as Buffer };
      await expect(agents.send(toOld, { method: "GET", path: "/report", timeoutMs: 5000 })).rejects.toThrow();
    },
  );

  test("a deleted site leaves nothing in the cluster, and can be restored from its archive", async () => {
    const { wordpress, db } = sites.server;
    await run(neighbour, "update_option('blogname', 'Archivado');");
    const { database } =
      (await new ClusterSites(db, new SecretBox([cluster.env.ENCRYPTION_KEY])).find(neighbour.id)) ?? {};
    await db.update(projects).set({ archivedAt: new Date() }).where(eq(projects.id, neighbour.id));
    await archiveSite(wordpress, neighbour.id);
    const left = kubectl("get", "all,pvc,secret", "-o", "name");
    expect(left).not.toContain(neighbour.id);
    expect(await db.select().from(clusterSites).where(eq(clusterSites.siteId, neighbour.id))).toEqual([]);
    const connection = await createConnection(`${cluster.env.MARIADB_URLS}/mysql`);
    const found = await connection.query("show databases like ?", [database?.name]);
    await connection.end();
    expect(found).toHaveLength(0);
    const [archive = ""] = await wordpress.backups.list(neighbour.id);
    await restoreSite(wordpress, neighbour.id, { backup: archive });
    await eventually(async () => expect((await neighbour.ask("/")).text).toContain("<title>Archivado"));
  });
});
