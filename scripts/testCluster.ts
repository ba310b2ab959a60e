// Tries WordPress on Kubernetes, and the product as pods, on a real cluster:
//   KUBECONFIG=… NIDO_TEST_LOAD_IMAGE="kind load image-archive" npm run test:cluster
// It builds the images with buildah, podman or docker, whichever there is, and loads their archives into the cluster with
// the given command. More settings, all optional:
//   NIDO_TEST_NODE_BASE, NIDO_TEST_DEBIAN_BASE        the images to build from
//   NIDO_TEST_BUILD_OPTIONS                           more options of the build, with spaces between them
//   NIDO_TEST_NODE, NIDO_TEST_NODE_DOWN, …_UP         a node, and commands that cut it off and connect it again
//   NIDO_TEST_API_DOWN, …_UP                          commands that stop the cluster's API, and start it again
//   NIDO_TEST_KILLS                                   how often each role is killed (3)
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { installSystemPackages, nativePackages } from "./installSystemPackages.ts";

const root = resolve(import.meta.dirname, "..");
const { env } = process;
const isThere = (program: string) => spawnSync(program, ["--help"]).status === 0;
const builder = ["buildah", "podman", "docker"].find(isThere);
const missing = [
  !env["KUBECONFIG"] && "KUBECONFIG: the file that describes a cluster",
  !env["NIDO_TEST_LOAD_IMAGE"] && "NIDO_TEST_LOAD_IMAGE: a command that loads the archive of an image into the cluster",
  !builder && "buildah, podman or docker",
  !isThere("kubectl") && "kubectl",
].filter(Boolean);

if (missing.length > 0) console.log(`NOT TRIED: WordPress on Kubernetes. It needs\n  ${missing.join("\n  ")}`);
else {
  await installSystemPackages(["wrk", "chromium", ...nativePackages]);
  process.exitCode = tryCluster(builder as string);
}

function tryCluster(program: string): number {
  const platform = "localhost/nido:test";
  const draft = "localhost/nido-wordpress:draft";
  build(program, "platform", platform, { BASE: env["NIDO_TEST_NODE_BASE"] });
  build(program, "wordpress", draft, { PLATFORM: platform, BASE: env["NIDO_TEST_DEBIAN_BASE"] });
  const wordpress = draft.replace("draft", readVersion(program, draft));
  // The same image again, as if it were a newer version.
  const next = wordpress.replace(/\d+$/, (patch) => String(Number(patch) + 1));
  for (const name of [wordpress, next]) execFileSync(program, ["tag", draft, name]);
  for (const image of [platform, wordpress, next]) load(program, image);
  const images = {
    NIDO_TEST_PLATFORM_IMAGE: platform,
    NIDO_TEST_WORDPRESS_IMAGE: wordpress,
    NIDO_TEST_WORDPRESS_NEXT: next,
  };
  const args = [
    "node_modules/vitest/vitest.mjs",
    "run",
    "--no-file-parallelism",
    "apps/server/src/wordpress/kubernetes",
  ];
  return spawnSync(process.execPath, args, { cwd: root, stdio: "inherit", env: { ...env, ...images } }).status ?? 1;
}

function build(program: string, name: string, image: string, values: Record<string, string | undefined>) {
  console.log(`Building ${image}…`);
  const set = Object.entries(values).flatMap(([key, value]) => (value ? ["--build-arg", `${key}=${value}`] : []));
  const more = (env["NIDO_TEST_BUILD_OPTIONS"] ?? "").split(" ").filter(Boolean);
  const file = `deploy/${name}.Dockerfile`;
  execFileSync(program, ["build", ...more, ...set, "-f", file, "-t", image, "."], { cwd: root, stdio: "inherit" });
}

/** The WordPress version in an image. */
function readVersion(program: string, image: string): string {
  const command = ["cat", "/opt/nido/version"];
  if (program !== "buildah")
    return execFileSync(program, ["run", "--rm", image, ...command])
      .toString()
      .trim();
  const container = execFileSync(program, ["from", image]).toString().trim();
  const version = execFileSync(program, ["run", container, "--", ...command])
    .toString()
    .trim();
  execFileSync(program, ["rm", container]);
  return version;
}

function load(program: string, image: string) {
  const folder = mkdtempSync(join(tmpdir(), "nido-image-"));
  const archive = join(folder, "image.tar");
  if (program === "docker") execFileSync(program, ["save", "-o", archive, image]);
  else execFileSync(program, ["push", "-q", image, `docker-archive:${archive}:${image}`]);
  execFileSync("sh", ["-c", `${env["NIDO_TEST_LOAD_IMAGE"]} "$0"`, archive], { stdio: "inherit" });
  rmSync(folder, { recursive: true });
}
