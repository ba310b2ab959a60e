import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { cp, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import type { CoreSource } from "./CoreStore.ts";
import { isSameMinor } from "./version.ts";

const run = promisify(execFile);

/** The npm package of WordPress Studio contains WordPress and WP-CLI as they were released, and WordPress's translations. */
const studio = {
  package: "wp-studio@1.22.0",
  sha512:
    "6e832d6a19218160ca2b2353040d6e4cae60867026c5784363a29e4023bd166708dffa3e60e4aaf09c185b96589f11c2c47d7825ffe60fa0894c1bd35a5d98b7",
  wordpress: "7.1.1",
};
const files = "package/dist/cli/wp-files";
const timeout = 120_000;
/** npm runs code of others, and must not see our secrets. */
const npmVariables = /^(path|home|npm_config_.*|https?_proxy|no_proxy|node_extra_ca_certs|ssl_cert_(file|dir))$/i;

/** Takes WordPress and its Spanish translations from the npm package. */
export const coreOfStudio: CoreSource = async (target, { line, signal }) => {
  const { wordpress: version } = studio;
  if (line && !isSameMinor(version, line)) throw new Error(`${studio.package} has WordPress ${version}`);
  const work = await mkdtemp(`${target}.studio-`);
  try {
    const folder = await unpackStudio(work, ["latest/wordpress", "latest/languages"], signal);
    await rm(target, { recursive: true });
    await rename(join(folder, "latest/wordpress"), target);
    const languages = join(target, "wp-content/languages");
    await mkdir(languages, { recursive: true });
    const isSpanish = (path: string) => !/\.(php|json)$/.test(path) || /(^|-)es_ES[.-]/.test(basename(path));
    await cp(join(folder, "latest/languages"), languages, { recursive: true, filter: isSpanish });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
};

/** Unpacks some of the package's files below a folder. Returns where they are. */
export async function unpackStudio(work: string, paths: string[], signal?: AbortSignal): Promise<string> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => npmVariables.test(name)));
  const limits = { cwd: work, timeout, ...(signal && { signal }) };
  await run("npm", ["pack", studio.package, "--silent"], { ...limits, env });
  const archive = `${studio.package.replace("@", "-")}.tgz`;
  const hash = createHash("sha512");
  await pipeline(createReadStream(join(work, archive)), hash);
  if (hash.digest("hex") !== studio.sha512) throw new Error(`npm's ${studio.package} is not the one that is known`);
  await run("tar", ["xzf", archive, ...paths.map((path) => `${files}/${path}`)], limits);
  return join(work, files);
}
