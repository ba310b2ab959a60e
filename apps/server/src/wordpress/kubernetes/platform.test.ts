import { execFile } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import type { CustomerState, PlanOffers } from "@nido/contract";
import { openBrowser } from "@nido/test-kit/browser";
import { whyNoCluster } from "@nido/test-kit/cluster";
import { startClusterProduct, whyNoPlatformImage } from "@nido/test-kit/clusterProduct";
import { cliOf } from "@nido/test-kit/publish";
import { openSeed } from "@nido/test-kit/seed";
import { ask, type Question } from "@nido/test-kit/sites";
import { eventually } from "@nido/test-kit/waitUntil";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";

const reason = whyNoCluster() ?? whyNoPlatformImage();
if (reason) console.log(`Skipped: the product as pods on Kubernetes, because ${reason}.`);

const run = promisify(execFile);
/** Sixty kills of a pod, each with its replacement, take a while. */
const maxKillingMs = 60 * 60_000;
/** More would not fit into the memory of a small cluster. */
const maxSites = 8;

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

  test(
    "roles are killed while customers buy and publish, and nothing is lost or doubled",
    async () => {
      const rounds = Number(process.env["NIDO_TEST_KILLS"] ?? 3);
      const seed = await openSeed(product.databaseUrl, "demo@nido.example");
      const token = await seed.giveToken();
      await seed.close();
      let isOver = false;
      const kill = async () => {
        for (let round = 0; round < rounds; round++)
          for (const role of ["worker", "edge", "web"] as const) {
            const [pod] = product.podsOf(role);
            if (pod) product.kubectl(["-n", "nido", "delete", "pod", pod.name, "--grace-period=0", "--force"]);
            await pause(1500);
            product.rollOut(role);
          }
        isOver = true;
      };
      const names: string[] = [];
      const buyMany = async () => {
        while (names.length < 3 || (!isOver && names.length < maxSites)) {
          const name = `matado${names.length}`;
          names.push(name);
          await buyPatiently(name);
        }
      };
      let acknowledged = 0;
      const publishMany = async () => {
        for (let version = 1; !isOver; version++) {
          const address = product.podsOf("web").at(-1)?.address ?? "";
          const published = cliOf(address, token).publish("lafolio", { "index.html": `${version}` });
          await published.then(
            () => (acknowledged = version),
            () => pause(500), // the pod was killed meanwhile
          );
          await pause(1000);
        }
      };
      await Promise.all([kill(), buyMany(), publishMany()]);
      console.log(
        `Each role was killed ${rounds} times, while ${names.length} sites were bought and ${acknowledged} deploys published.`,
      );
      const own = Object.values((await state()).projects).map(({ name }) => name);
      expect(own.toSorted()).toEqual(["elblog", "lafolio", ...names].toSorted());
      for (const name of names) expect((await edge(0, name, "/wp-login.php")).status).toBe(200);
      const deployments = product.kubectl(["-n", "nido-sites", "get", "deployments", "-o", "name"]).trim().split("\n");
      expect(deployments).toHaveLength(names.length + 1);
      expect(acknowledged).toBeGreaterThan(0);
      for (const index of [0, 1])
        expect(Number((await edge(index, "lafolio", "/")).text)).toBeGreaterThanOrEqual(acknowledged);
    },
    maxKillingMs,
  );

  /** Buys a site although the processes that it speaks to are killed. */
  async function buyPatiently(name: string) {
    for (let attempt = 0; ; attempt++)
      try {
        return await buy(name, "wordpress");
      } catch (error) {
        if (attempt > 20) throw error;
        if ((await projectOf(name).catch(() => undefined)) !== undefined) break;
        await pause(1000);
      }
    await eventually(async () => expect(await projectOf(name)).toMatchObject({ status: "active" }));
  }

  test("a rolling update of all roles fails no request, neither of a crowd nor of a customer in a browser", async () => {
    const roles = ["edge", "web", "worker"] as const;
    const addressOf = (role: string) =>
      `${product.kubectl(["-n", "nido", "get", "service", role, "-o", "jsonpath={.spec.clusterIP}"])}:80`;
    let isOver = false;
    const crowd = async (name: string) => {
      const outputs: string[] = [];
      while (!isOver) outputs.push(await load(addressOf("edge"), `${name}.${product.appHost}`));
      return outputs;
    };
    const browser = await openBrowser({
      [product.appHost]: addressOf("web"),
      [`*.${product.appHost}`]: addressOf("edge"),
    });
    onTestFinished(() => browser.close());
    const page = await browser.newPage({ baseURL: `http://${product.appHost}`, locale: "es-ES" });
    const failures: string[] = [];
    page.on("response", (response) => {
      if (response.status() >= 500) failures.push(`${response.status()} ${response.url()}`);
    });
    page.on("requestfailed", (request) => {
      const reason = request.failure()?.errorText ?? "";
      if (reason !== "net::ERR_ABORTED") failures.push(`${reason} ${request.url()}`); // aborted by the next page
    });
    await page.context().addCookies([sessionCookie(cookie)]);
    const project = await projectOf("elblog");
    const journey = async () => {
      let rounds = 0;
      for (; !isOver; rounds++) {
        await page.goto("/projects");
        await page.getByText("elblog", { exact: true }).first().waitFor();
        await page.goto(`/projects/${project?.id}`);
        await page.getByRole("heading", { name: "elblog" }).first().waitFor();
        await page.goto("/settings");
        await page.getByRole("heading", { level: 1 }).first().waitFor();
        await page.goto(`http://elblog.${product.appHost}/`);
        await page.getByText("Visto desde lejos").first().waitFor();
      }
      return rounds;
    };
    const update = async () => {
      for (const role of roles) {
        product.kubectl(["-n", "nido", "rollout", "restart", `deployment/${role}`]);
        product.rollOut(role);
        await eventually(() => expect(product.podsOf(role)).toHaveLength(2));
      }
      isOver = true;
    };
    const [cached, files, rounds] = await Promise.all([crowd("elblog"), crowd("lafolio"), journey(), update()]);
    const answered = [...cached, ...files].map((output) => Number(/(\d+) requests in/.exec(output)?.[1]));
    console.log(
      `During the update: ${answered.reduce((sum, count) => sum + count)} requests, and ${rounds} journeys in a browser.`,
    );
    expect([...cached, ...files].filter((output) => /Non-2xx|Socket errors/.test(output))).toEqual([]);
    expect(failures).toEqual([]);
    expect(rounds).toBeGreaterThan(2);
  });
});

function sessionCookie(cookie: string) {
  const [name = "", value = ""] = cookie.split("=");
  return { name, value, domain: "localhost", path: "/" };
}

/** Many requests for a while, on connections that are kept open. Returns what wrk prints. */
async function load(address: string, host: string): Promise<string> {
  const { stdout } = await run("wrk", [
    "-t1",
    "-c8",
    "-d5",
    "--timeout",
    "30s",
    "-H",
    `Host: ${host}`,
    `http://${address}/`,
  ]);
  return stdout;
}
