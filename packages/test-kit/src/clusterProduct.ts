import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, globSync, mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join, resolve } from "node:path";
import type { KubernetesObject, V1Deployment, V1NetworkPolicy } from "@kubernetes/client-node";
import { startSandbox } from "@nido/sandbox";
import { connectStripe } from "@nido/server/billing/Billing";
import { seedCatalogue } from "@nido/server/billing/catalogue/seedCatalogue";
import { parseAllDocuments } from "yaml";
import { openCluster } from "./cluster.ts";
import type { WhenDone } from "./database.ts";
import { freePort } from "./freePort.ts";
import { waitUntil } from "./waitUntil.ts";

const root = resolve(import.meta.dirname, "../../..");
const appUrl = "http://localhost:3000";

type Role = "web" | "edge" | "worker";

/** Why the product cannot be tried as pods; undefined where it can. */
export function whyNoPlatformImage(): string | undefined {
  return process.env["NIDO_TEST_PLATFORM_IMAGE"]
    ? undefined
    : "NIDO_TEST_PLATFORM_IMAGE, an image on the cluster's nodes, is not set";
}

/** Runs the product in the cluster, from the manifests in deploy/, with its databases, bucket and stand-ins beside it. */
export async function startClusterProduct(whenDone: WhenDone) {
  const cluster = await openCluster(whenDone, "nido-sites");
  const databaseUrl = await startPostgresServer(whenDone, cluster.address);
  const sandbox = await startSandbox({
    port: 0,
    redirectUri: new URL(appUrl),
    webhookUrl: new URL(`http://127.0.0.1:${await forward(whenDone, "127.0.0.1", webService)}/billing/webhook`),
  });
  whenDone(sandbox.stop);
  await seedCatalogue(connectStripe(sandbox.stripe));
  const stripePort = await forward(whenDone, cluster.address, () => ({
    host: "127.0.0.1",
    port: Number(sandbox.stripe.apiUrl.port),
  }));

  const settings: Record<string, string> = {
    ...cluster.env,
    APP_URL: appUrl,
    DATABASE_URL: databaseUrl,
    STRIPE_SECRET_KEY: sandbox.stripe.secretKey,
    STRIPE_WEBHOOK_SECRET: sandbox.stripe.webhookSecret,
    STRIPE_API_URL: `http://${cluster.address}:${stripePort}`,
    LOG_LEVEL: "warn",
  };
  const objects = renderManifests(settings);
  kubectl(["apply", "-f", "-"], JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }));
  whenDone(async () => {
    kubectl(["delete", "namespace", "nido", "--wait=true"]);
    kubectl(["delete", "clusterrole,clusterrolebinding", "nido-worker"]);
  });
  const roles: Role[] = ["web", "edge", "worker"];
  const rollOut = (role: Role) => kubectl(["-n", "nido", "rollout", "status", `deployment/${role}`, "--timeout=180s"]);
  for (const role of roles) rollOut(role);

  const podsOf = (role: Role) => {
    const selector = `app.kubernetes.io/component=${role}`;
    const format = '{range .items[*]}{.metadata.name} {.status.podIP} {.spec.nodeName}{"\\n"}{end}';
    const lines = kubectl(["-n", "nido", "get", "pods", "-l", selector, "-o", `jsonpath=${format}`]);
    return lines
      .trim()
      .split("\n")
      .map((line) => {
        const [name = "", address = "", node = ""] = line.split(" ");
        return { name, address: `${address}:3000`, node };
      });
  };
  return { ...cluster, databaseUrl, sandbox, kubectl, rollOut, podsOf, appHost: "localhost:3000" };
}

function kubectl(args: string[], input?: string): string {
  return execFileSync("kubectl", args, {
    input,
    encoding: "utf8",
    stdio: ["pipe", "pipe", "pipe"],
    maxBuffer: 2 ** 26,
  });
}

/** Webhooks go to the service of the web role. */
function webService() {
  try {
    return { host: kubectl(["-n", "nido", "get", "service", "web", "-o", "jsonpath={.spec.clusterIP}"]), port: 80 };
  } catch {
    return { host: "127.0.0.1", port: 9 }; // there is none yet
  }
}

/** The production overlay, with this test's images and settings, for clusters that lack the newest API versions. */
function renderManifests(settings: Record<string, string>): KubernetesObject[] {
  const versions = kubectl(["api-versions"]).split("\n");
  const secret = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "nido-secrets", namespace: "nido" },
    stringData: settings,
  };
  const rendered = kubectl(["kustomize", join(root, "deploy/kubernetes/production")]);
  const objects = parseAllDocuments(rendered).map((document) => document.toJS() as KubernetesObject);
  const order = ["Namespace", "ServiceAccount"];
  const known = objects
    .map((object) => {
      if (object.kind === "Deployment") {
        const { template } = (object as V1Deployment).spec ?? {};
        for (const container of template?.spec?.containers ?? [])
          container.image = process.env["NIDO_TEST_PLATFORM_IMAGE"];
      }
      // The settings come from the secret alone.
      if (object.kind === "ConfigMap") return { ...object, data: {} };
      // Clusters before 1.22 do not know ranges of ports.
      if (object.kind === "NetworkPolicy" && !versions.includes("policy/v1"))
        delete (object as V1NetworkPolicy).spec?.egress;
      if (object.apiVersion === "policy/v1" && !versions.includes("policy/v1"))
        return { ...object, apiVersion: "policy/v1beta1" };
      return object;
    })
    .filter(({ apiVersion = "" }) => versions.includes(apiVersion))
    .sort((one, other) => rank(other) - rank(one));
  const first = known.filter(({ kind }) => kind === "Namespace");
  return [...first, secret, ...known.filter(({ kind }) => kind !== "Namespace")];

  function rank({ kind = "" }: KubernetesObject) {
    return order.includes(kind) ? 1 : 0;
  }
}

/** Passes TCP connections on. Returns the port. */
async function forward(whenDone: WhenDone, address: string, to: () => { host: string; port: number }) {
  // Connections of pods that were killed by force stay open.
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const onward = connect(to());
    for (const each of [socket, onward]) each.on("error", () => undefined);
    socket.pipe(onward).pipe(socket);
    socket.on("close", () => {
      sockets.delete(socket);
      onward.destroy();
    });
    onward.on("close", () => socket.destroy());
  }).listen(0, address);
  await once(server, "listening");
  whenDone(async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

/** Debian's PostgreSQL on a TCP port. Returns the URL of an empty database. */
async function startPostgresServer(whenDone: WhenDone, address: string): Promise<string> {
  const programs = globSync("/usr/lib/postgresql/*/bin").at(-1) ?? "";
  const folder = mkdtempSync("/var/lib/nido-postgres-");
  execFileSync("chown", ["postgres:postgres", folder]);
  const idOf = (option: string) => Number(execFileSync("id", [option, "postgres"]).toString());
  const account = { uid: idOf("-u"), gid: idOf("-g"), stdio: "ignore" as const };
  const data = join(folder, "data");
  execFileSync(join(programs, "initdb"), ["-D", data, "-A", "trust"], account);
  appendFileSync(join(data, "pg_hba.conf"), "host all all 0.0.0.0/0 trust\n");
  const port = await freePort();
  const options = ["-D", data, "-k", folder, "-h", address, "-p", String(port), "-c", "max_connections=300"];
  const server = spawn(join(programs, "postgres"), options, account);
  whenDone(async () => {
    server.kill("SIGQUIT");
    await once(server, "close");
    rmSync(folder, { recursive: true, force: true });
  });
  const create = ["-h", address, "-p", String(port), "-U", "postgres", "-c", "create database nido"];
  await waitUntil(
    "PostgreSQL accepts connections",
    async () => {
      try {
        execFileSync("psql", create, { stdio: "ignore" });
        return true;
      } catch {
        return false;
      }
    },
    (isReady) => isReady,
  );
  return `postgres://postgres@${address}:${port}/nido`;
}
