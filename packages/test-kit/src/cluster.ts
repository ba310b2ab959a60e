import { execFileSync } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { CoreV1Api, KubeConfig } from "@kubernetes/client-node";
import { createConnection } from "mariadb";
import type { WhenDone } from "./database.ts";
import { freePort } from "./freePort.ts";
import { startS3Server } from "./s3Server.ts";
import { startProgram } from "./startProgram.ts";
import { waitUntil } from "./waitUntil.ts";

/** Why the Kubernetes runtime cannot be tried here; undefined where it can. */
export function whyNoCluster(): string | undefined {
  const needed = { KUBECONFIG: "of a cluster", NIDO_TEST_WORDPRESS_IMAGE: "that its nodes have" };
  const missing = Object.entries(needed).filter(([name]) => !process.env[name]);
  return missing.length > 0 ? missing.map(([name, what]) => `${name} ${what} is not set`).join(", ") : undefined;
}

/** Starts what the sites of a cluster need beside it, and returns the settings of a product that uses them. */
export async function openCluster(whenDone: WhenDone, namespace = `nido-test-${Date.now().toString(36)}`) {
  const config = new KubeConfig();
  config.loadFromDefault();
  const address = await localAddress(new URL(config.getCurrentCluster()?.server ?? "").hostname);
  const api = config.makeApiClient(CoreV1Api);
  await api.createNamespace({ body: { metadata: { name: namespace } } });
  whenDone(async () => {
    await api.deleteNamespace({ name: namespace });
  });
  const mariadb = await startMariaDbServer(whenDone, address);
  const bucket = await startS3Server(whenDone, address);
  return {
    config,
    address,
    namespace,
    env: {
      WORDPRESS_RUNTIME: "kubernetes",
      WORDPRESS_IMAGE: process.env["NIDO_TEST_WORDPRESS_IMAGE"] ?? "",
      KUBERNETES_NAMESPACE: namespace,
      MARIADB_URLS: mariadb,
      S3_URL: bucket,
      ENCRYPTION_KEY: "a key of thirty-two characters for tests",
    },
  };
}

/** The address of this machine that pods reach it by: the one it has towards the cluster's API. */
async function localAddress(api: string): Promise<string> {
  const socket = createSocket("udp4");
  socket.connect(53, api);
  await once(socket, "connect");
  const { address } = socket.address();
  socket.close();
  return address;
}

/** MariaDB on a TCP port. Returns the address of its administrator. */
export async function startMariaDbServer(whenDone: WhenDone, address: string): Promise<string> {
  const folder = mkdtempSync("/var/lib/nido-mariadb-");
  const data = join(folder, "data");
  mkdirSync(data);
  execFileSync("chown", ["-R", "mysql:mysql", folder]);
  const install = ["--no-defaults", "--user=mysql", `--datadir=${data}`, "--skip-test-db"];
  execFileSync("mariadb-install-db", install, { stdio: "ignore" });
  const port = await freePort();
  const password = "root-password-of-tests";
  const files = [`--datadir=${data}`, `--socket=${folder}/socket`, `--pid-file=${folder}/pid`];
  const options = [
    `--bind-address=${address}`,
    `--port=${port}`,
    "--innodb-flush-log-at-trx-commit=0",
    "--innodb-buffer-pool-size=64M",
  ];
  const server = startProgram("/usr/sbin/mariadbd", ["--no-defaults", "--user=mysql", ...files, ...options]);
  whenDone(async () => {
    await server.stop("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });
  const create = `create user admin@'%' identified by '${password}'; grant all on *.* to admin@'%' with grant option;`;
  await waitUntil(
    "MariaDB accepts its administrator",
    async () => {
      try {
        execFileSync("mariadb", ["--no-defaults", `--socket=${folder}/socket`, "--user=root"], {
          input: create,
          stdio: ["pipe", "ignore", "ignore"],
        });
      } catch {
        // It does not listen yet, or the user exists already.
      }
      return createConnection({ host: address, port, user: "admin", password })
        .then((connection) => connection.end().then(() => true))
        .catch(() => false);
    },
    (isReady) => isReady,
  );
  return `mariadb://admin:${password}@${address}:${port}`;
}
