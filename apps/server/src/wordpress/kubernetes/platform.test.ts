import { setTimeout as pause } from "node:timers/promises";
import type { CustomerState, PlanOffers } from "@nido/contract";
import { whyNoCluster } from "@nido/test-kit/cluster";
import { startClusterProduct, whyNoPlatformImage } from "@nido/test-kit/clusterProduct";
import { cliOf } from "@nido/test-kit/publish";
import { openSeed } from "@nido/test-kit/seed";
import { ask, type Question } from "@nido/test-kit/sites";
import { eventually } from "@nido/test-kit/waitUntil";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const reason = whyNoCluster() ?? whyNoPlatformImage();
if (reason) console.log(`Skipped: the product as pods on Kubernetes, because ${reason}.`);

describe.skipIf(reason)("the product as pods", () => {
  let product: Awaited<ReturnType<typeof startClusterProduct>>;
  let cookie: string;
  const undos: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    product = await startClusterProduct((undo) => void undos.unshift(undo));
    const signedIn = await web("/auth/simple", { form: { username: "demo@nido.example", password: "Demo1234" } });
    cookie = String(signedIn.headers["set-cookie"]?.[0]?.split(";")[0]);
  });
  afterAll(async () => {
    for (const undo of undos) await undo();
  });

  /** Asks one of the pods of a role. */
  const askPod = (role: "web" | "edge", index: number, host: string, path: string, question?: Question) =>
    ask(product.podsOf(role)[index]?.address ?? "", host, path, question);
  const web = (path: string, question: Question = {}) =>
    askPod("web", 0, product.appHost, path, {
      ...question,
      headers: { origin: `http://${product.appHost}`, ...(cookie && { cookie }), ...question.headers },
    });
  const edge = (index: number, name: string, path: string, question?: Question) =>
    askPod("edge", index, `${name}.${product.appHost}`, path, question);
  const state = async (): Promise<CustomerState> => JSON.parse((await web("/redux")).text);
  const projectOf = async (name: string) => Object.values((await state()).projects).find((own) => own.name === name);

  /** Buys a site, as the purchase page does, and waits until it is active. */
  async function buy(name: string, category: "wordpress" | "static") {
    const offers: PlanOffers = JSON.parse((await web(`/billing/products?recipe_category=${category}`)).text);
    const plan = offers.year[0]?.plan.id;
    const body = JSON.stringify({ project_name: name, username: "lucia", promo: "", locale: "es", category });
    const headers = { "content-type": "application/json" };
    const { status, text } = await web(`/billing/session/${plan}`, { method: "POST", headers, body });
    expect([status, text]).toEqual([200, expect.any(String)]);
    const form = { method: "POST", body: new URLSearchParams({ action: "pay" }), redirect: "manual" } as const;
    await fetch(new URL(`/stripe/pay/${JSON.parse(text).id}`, product.sandbox.origin), form);
    await eventually(async () => expect(await projectOf(name)).toMatchObject({ status: "active" }));
  }

  test("runs two of each role, on both nodes", () => {
    for (const role of ["web", "edge", "worker"] as const)
      expect(new Set(product.podsOf(role).map(({ node }) => node)).size).toBe(2);
  });

  test("a customer buys a WordPress, which runs in a pod, and opens it with one click through either edge", async () => {
    const began = Date.now();
    await buy("elblog", "wordpress");
    console.log(`A WordPress was bought and ready after ${Math.round((Date.now() - began) / 1000)} s.`);
    for (const index of [0, 1]) expect((await edge(index, "elblog", "/")).text).toContain("<title>elblog");
    const project = await projectOf("elblog");
    const { text } = await web(`/api/vault/${project?.id}/sso`);
    const entered = await edge(1, "elblog", "/nido-sso", { form: { token: JSON.parse(text).token } });
    expect([entered.status, entered.headers.location]).toEqual([303, expect.stringContaining("/wp-admin/")]);

    // A post is published through one edge, and seen by a visitor of the other.
    const cookies = (entered.headers["set-cookie"] ?? []).map((each) => each.split(";")[0]).join("; ");
    const admin = await edge(0, "elblog", "/wp-admin/post-new.php", { headers: { cookie: cookies } });
    const [, nonce = ""] = /createNonceMiddleware\(\s*"(\w+)"/.exec(admin.text) ?? [];
    await eventually(async () => expect((await edge(1, "elblog", "/")).headers["x-cache"]).toBe("hit"));
    const post = await edge(0, "elblog", "/index.php?rest_route=/wp/v2/posts", {
      method: "POST",
      headers: { cookie: cookies, "x-wp-nonce": nonce, "content-type": "application/json" },
      body: JSON.stringify({ title: "Visto desde lejos", status: "publish" }),
    });
    expect(post.status).toBe(201);
    const published = Date.now();
    await eventually(async () => expect((await edge(1, "elblog", "/")).text).toContain("Visto desde lejos"), {
      intervalMs: 20,
    });
    console.log(`The other edge showed the post after ${Date.now() - published} ms.`);
  });

  test("a static site is published and served by both edges", async () => {
    await buy("lafolio", "static");
    const seed = await openSeed(product.databaseUrl, "demo@nido.example");
    const token = await seed.giveToken();
    await seed.close();
    await cliOf(product.podsOf("web")[1]?.address ?? "", token).publish("lafolio", { "index.html": "<h1>hola</h1>" });
    for (const index of [0, 1])
      await eventually(async () => expect((await edge(index, "lafolio", "/")).text).toBe("<h1>hola</h1>"));
  });

  test("roles are killed while customers buy, and nothing is lost or doubled", async () => {
    const rounds = Number(process.env["NIDO_TEST_KILLS"] ?? 3);
    let isOver = false;
    const killing = (async () => {
      for (let round = 0; round < rounds && !isOver; round++)
        for (const role of ["worker", "edge", "web"] as const) {
          const [pod] = product.podsOf(role);
          if (pod) product.kubectl(["-n", "nido", "delete", "pod", pod.name, "--grace-period=0", "--force"]);
          await pause(1500);
          product.rollOut(role);
        }
    })();
    const names = Array.from({ length: 3 }, (_, index) => `matado${index}`);
    const patiently = async (name: string) => {
      for (let attempt = 0; ; attempt++)
        try {
          return await buy(name, "wordpress");
        } catch (error) {
          if (attempt > 20) throw error;
          if ((await projectOf(name).catch(() => undefined)) !== undefined) break;
          await pause(1000);
        }
      await eventually(async () => expect(await projectOf(name)).toMatchObject({ status: "active" }));
    };
    for (const name of names) await patiently(name);
    isOver = true;
    await killing;
    const own = Object.values((await state()).projects).map(({ name }) => name);
    expect(own.toSorted()).toEqual(["elblog", "lafolio", ...names].toSorted());
    for (const name of names) expect((await edge(0, name, "/wp-login.php")).status).toBe(200);
    const deployments = product.kubectl(["-n", "nido-sites", "get", "deployments", "-o", "name"]).trim().split("\n");
    expect(deployments).toHaveLength(names.length + 1);
  });

  test("a rolling update fails no request", async () => {
    const statuses = new Map<string, number>();
    let isOver = false;
    const service = product.kubectl(["-n", "nido", "get", "service", "edge", "-o", "jsonpath={.spec.clusterIP}"]);
    const visit = async (name: string) => {
      while (!isOver) {
        const status = await ask(`${service}:80`, `${name}.${product.appHost}`, "/").then(
          (answer) => String(answer.status),
          (error) => `${error.code ?? error.message}`,
        );
        statuses.set(`${name} ${status}`, (statuses.get(`${name} ${status}`) ?? 0) + 1);
      }
    };
    const visitors = ["elblog", "lafolio", "lafolio"].map(visit);
    product.kubectl(["-n", "nido", "rollout", "restart", "deployment/edge"]);
    await new Promise((resolve) => setTimeout(resolve, 500));
    await eventually(async () => {
      await pause(500);
      const old = product.kubectl([
        "-n",
        "nido",
        "get",
        "pods",
        "-l",
        "app.kubernetes.io/component=edge",
        "-o",
        "name",
      ]);
      const generation = product.kubectl([
        "-n",
        "nido",
        "get",
        "deployment",
        "edge",
        "-o",
        "jsonpath={.status.updatedReplicas} {.status.readyReplicas}",
      ]);
      expect([generation, old.trim().split("\n").length]).toEqual(["2 2", 2]);
    });
    isOver = true;
    await Promise.all(visitors);
    console.log(`During the update: ${JSON.stringify(Object.fromEntries(statuses))}`);
    expect([...statuses.keys()].sort()).toEqual(["elblog 200", "lafolio 200"]);
  });
});
