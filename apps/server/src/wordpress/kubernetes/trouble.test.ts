import { execFileSync } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { createCustomer, startApp } from "@nido/test-kit/app";
import { openCluster, whyNoCluster } from "@nido/test-kit/cluster";
import { startNative, whyNotNative } from "@nido/test-kit/native";
import { orderWordPress } from "@nido/test-kit/seed";
import { openSites, type Sites, type TestSite } from "@nido/test-kit/sites";
import { eventually } from "@nido/test-kit/waitUntil";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { findJob } from "../../jobs/enqueue.ts";
import { updateSiteJob } from "../jobs.ts";
import { provisionWordPress } from "../lifecycle/provisionWordPress.ts";
import { restoreSite } from "../lifecycle/restoreSite.ts";
import { transferSite } from "../lifecycle/transferSite.ts";
import { findWordPress } from "../queries.ts";
import { backUp } from "../upkeep/backups.ts";
import { updateCore, updateSite } from "../upkeep/updateCore.ts";
import { siteOf } from "../WordPress.ts";
import type { KubernetesRuntime } from "./KubernetesRuntime.ts";
import { reconcileCluster } from "./reconcileCluster.ts";
import { objectName } from "./siteObjects.ts";

const reason = whyNoCluster();
if (reason) console.log(`Skipped: trouble on Kubernetes, because ${reason}.`);
const {
  NIDO_TEST_WORDPRESS_IMAGE: image = "",
  NIDO_TEST_WORDPRESS_NEXT: nextImage = "",
  NIDO_TEST_API_DOWN: apiDown,
  NIDO_TEST_API_UP: apiUp,
} = process.env;
const tagOf = (name: string) => name.slice(name.lastIndexOf(":") + 1);
if (!reason && !nextImage) console.log("Skipped: an update, because NIDO_TEST_WORDPRESS_NEXT is not set.");
if (!reason && !(apiDown && apiUp))
  console.log("Skipped: the API goes away, because NIDO_TEST_API_DOWN and NIDO_TEST_API_UP are not set.");
const noNative = reason ?? whyNotNative();
if (!reason && noNative) console.log(`Skipped: a site moves between runtimes, because ${noNative}.`);

describe.skipIf(reason)("trouble on Kubernetes", () => {
  let cluster: Awaited<ReturnType<typeof openCluster>>;
  let sites: Sites;
  let runtime: KubernetesRuntime;
  let blog: TestSite;
  const undos: (() => Promise<void>)[] = [];
  const whenDone = (undo: () => Promise<void>) => void undos.unshift(undo);

  beforeAll(async () => {
    cluster = await openCluster(whenDone);
    sites = await openSites(whenDone, cluster.env);
    runtime = sites.server.wordpress.runtime as KubernetesRuntime;
    blog = await sites.open("anasite");
  });
  afterAll(async () => {
    for (const undo of undos) await undo();
  });

  const kubectl = (...args: string[]) =>
    execFileSync("kubectl", ["-n", cluster.namespace, ...args], { stdio: ["ignore", "pipe", "pipe"] }).toString();
  const execute = (site: TestSite, command: string) =>
    kubectl("exec", runtime.pods.of(site.id)[0]?.name ?? "", "-c", "php", "--", "sh", "-c", command);
  const serves = async (site = blog) => expect((await site.ask("/wp-login.php")).status).toBe(200);
  const rowOf = async (site: TestSite) => {
    const row = await findWordPress(sites.server.db, site.id);
    if (!row) throw new Error("the site is gone");
    return row;
  };
  /** Another worker of the same product, with other settings. */
  const startWorker = async (env: Record<string, string>) => {
    const { databaseUrl } = sites.server;
    return startApp({ databaseUrl, env: { ...cluster.env, DATA_DIR: sites.folder, ...env }, whenDone });
  };
  /** Tries to provision a site that cannot be provisioned. Returns why not. */
  async function fail(server: Awaited<ReturnType<typeof startApp>>, name: string): Promise<string> {
    const order = await orderWordPress(server.db, await createCustomer(server, `${name}@example.com`), name);
    const error = await provisionWordPress(server.wordpress, order, 1).catch((caught) => caught);
    await provisionWordPress(server.wordpress, order, 5);
    const { rows } = await server.db.$client.query("select status from projects where id = $1", [order.projectId]);
    expect(rows).toEqual([{ status: "failed" }]);
    expect(kubectl("get", "deployment,pvc,secret", "-o", "name")).not.toContain(order.projectId);
    return String(error);
  }

  test("an image that cannot be pulled stops an update before any site is touched", async () => {
    const missing = await startWorker({ WORDPRESS_IMAGE: image.replace(/\d+$/, "998") });
    await expect(updateCore(missing.wordpress)).rejects.toThrow(/ErrImage|ImagePull/);
    expect(await findJob(sites.server.db, updateSiteJob, blog.id)).toBeUndefined();
    expect((await rowOf(blog)).core).toBe(tagOf(image));
    await serves();
  });

  test.skipIf(!nextImage)("an update restarts a site with the image of the newer version", async () => {
    const next = await startWorker({ WORDPRESS_IMAGE: nextImage });
    await updateCore(next.wordpress);
    expect(await findJob(sites.server.db, updateSiteJob, blog.id)).toBeDefined();
    await updateSite(next.wordpress, blog.id);
    expect((await rowOf(blog)).core).toBe(tagOf(nextImage));
    expect(kubectl("get", "pods", "-o", "jsonpath={.items[*].spec.containers[*].image}")).toContain(nextImage);
    await serves();
    // WP-Cron of a worker that still has the old version in mind does not undo it.
    await sites.server.wordpress.answer(
      { ...siteOf(sites.server.wordpress, await rowOf(blog)), core: tagOf(image) },
      { method: "GET", url: "/", headers: {}, visitor: "127.0.0.1", script: { in: "core", path: "index.php" } },
    );
    expect(kubectl("get", "pods", "-o", "jsonpath={.items[*].spec.containers[*].image}")).not.toContain(image);
  });

  test("a volume that stays pending, and a cluster without room, are named, and harm no other site", async () => {
    const slow = await startWorker({ KUBERNETES_STORAGE_CLASS: "missing" });
    const without = await fail(slow, "sinvolumen");
    expect(without).toMatch(/PersistentVolumeClaim/i);
    await serves();
    const nodes = kubectl("get", "nodes", "-o", "name").trim().split("\n");
    const uncordon = () => {
      for (const name of nodes) kubectl("uncordon", name);
    };
    onTestFinished(uncordon);
    for (const name of nodes) kubectl("cordon", name);
    expect(await fail(sites.server, "sinsitio")).toMatch(/nodes are available/);
    await serves();
  });

  test("a site cannot keep its agent from starting, nor its backup from being made", async () => {
    execute(blog, "rm -r /site/mail && ln -s /etc /site/mail && rm -r /site/state && touch /site/state");
    execute(blog, "echo secret > /site/wp-content/uploads/hidden.txt && chmod 000 /site/wp-content/uploads/hidden.txt");
    kubectl("delete", "pod", runtime.pods.of(blog.id)[0]?.name ?? "", "--wait=true");
    await eventually(() => serves());
    expect(execute(blog, "test -d /site/state && test ! -L /site/mail && echo right").trim()).toBe("right");
    const { wordpress } = sites.server;
    const name = await backUp(wordpress, siteOf(wordpress, await rowOf(blog)));
    await restoreSite(wordpress, blog.id, { backup: name });
    await eventually(() => serves());
    expect(execute(blog, "cat /site/wp-content/uploads/hidden.txt").trim()).toBe("secret");
  });

  test("a lost volume is not replaced by an empty one, but reported, and restored from a backup", async () => {
    const { wordpress } = sites.server;
    // Some thousand files that cannot be compressed: more than fits into any pipe.
    const many = "for i in $(seq 3000); do head -c 2000 /dev/urandom > a-file-with-a-long-name-$i; done";
    execute(blog, `cd /site/wp-content/uploads && echo kept > kept.txt && ${many}`);
    const name = await backUp(wordpress, siteOf(wordpress, await rowOf(blog)));
    kubectl("scale", "deployment", objectName(blog.id), "--replicas=0");
    await eventually(() => expect(runtime.pods.of(blog.id)).toEqual([]));
    kubectl("delete", "pvc", objectName(blog.id), "--wait=true");
    await reconcileCluster(wordpress, runtime);
    expect(kubectl("get", "pvc", "-o", "name")).not.toContain(blog.id);
    await restoreSite(wordpress, blog.id, { backup: name });
    await eventually(() => serves());
    expect(execute(blog, "cat /site/wp-content/uploads/kept.txt").trim()).toBe("kept");
  });

  test.skipIf(!(apiDown && apiUp))(
    "the cluster's API goes away for a minute, and sites that run do not notice",
    async () => {
      const sleeper = await sites.open("dormida");
      kubectl("scale", "deployment", objectName(sleeper.id), "--replicas=0");
      await eventually(() => expect(runtime.pods.of(sleeper.id)).toEqual([]));
      await serves();
      let isUp = false;
      const up = () => {
        if (!isUp) execFileSync("sh", ["-c", apiUp ?? ""]);
        isUp = true;
      };
      onTestFinished(up);
      execFileSync("sh", ["-c", apiDown ?? ""]);
      const until = Date.now() + 60_000;
      let count = 0;
      const waking = sleeper.ask("/wp-login.php").then(({ status }) => status);
      for (; Date.now() < until; count++) {
        await serves();
        await pause(50);
      }
      up();
      console.log(
        `Without the API, ${count} requests were answered by PHP; one for a sleeping site got ${await waking}.`,
      );
      await eventually(() => serves(sleeper));
    },
  );

  test.skipIf(noNative)("a site moves from the native runtime to the cluster, and back", async () => {
    const native = await startNative(whenDone);
    const env = { ...cluster.env, ...native.env, WORDPRESS_RUNTIME: "native,kubernetes" };
    const both = await openSites(whenDone, env);
    const { wordpress, db } = both.server;
    const site = await both.open("mudanza");
    const program =
      "require ABSPATH . '/wp-load.php'; wp_set_current_user(1); update_option('blogname', 'Con todo'); echo AUTH_KEY;";
    const path = await site.addProgram("write.php", program.replace("ABSPATH", "$_SERVER['DOCUMENT_ROOT']"));
    const salt = (await site.ask(path)).text;
    expect(salt).toMatch(/^\S{20,}/);
    for (const to of ["kubernetes", "local"] as const) {
      const began = Date.now();
      await transferSite(wordpress, site.id, to, (work) => work());
      console.log(`Moved to ${to} in ${Math.round((Date.now() - began) / 1000)} s.`);
      expect(await findWordPress(db, site.id)).toMatchObject({ runtime: to, isMoving: false });
      const home = await site.ask("/");
      expect([home.status, home.headers, home.text]).toEqual([
        200,
        expect.anything(),
        expect.stringContaining("<title>Con todo"),
      ]);
      expect(kubectl("get", "pvc", "-o", "name").includes(site.id)).toBe(to === "kubernetes");
    }
    expect((await site.ask(path)).text).toBe(salt);
    await wordpress.runtime.remove(site.id);
  });
});
