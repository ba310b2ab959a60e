// Fills a folder with what the WordPress image adds to its base: WordPress, our PHP code, and the agent.
//   node scripts/images/fillWordPress.ts FOLDER
import { cpSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "rolldown";
import { CoreStore } from "../../apps/server/src/wordpress/core/CoreStore.ts";
import { coreSources } from "../../apps/server/src/wordpress/core/sources.ts";

const root = resolve(import.meta.dirname, "../..");
const target = resolve(process.argv[2] ?? "build/wordpress");

const cores = new CoreStore(join(target, "versions"), coreSources(process.env["WORDPRESS_CORE"]), console);
const { version, folder } = await cores.update();
mkdirSync(join(target, "nido"), { recursive: true });
cpSync(resolve(folder, ".."), join(target, "wordpress"), { recursive: true });
cpSync(join(root, "apps/server/src/wordpress/php"), join(target, "nido/nido"), { recursive: true });
await build({
  input: join(root, "apps/agent/src/main.ts"),
  platform: "node",
  logLevel: "warn",
  output: { file: join(target, "nido/agent.mjs"), format: "esm", minify: true, codeSplitting: false },
});
console.log(version);
