// Fills a folder with what the WordPress image adds to its base: WordPress, our PHP code, and the agent, which
// `npm run build` has bundled.
//   node scripts/images/fillWordPress.ts FOLDER
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { CoreStore } from "../../apps/server/src/wordpress/core/CoreStore.ts";
import { provideWpCli } from "../../apps/server/src/wordpress/core/provideWpCli.ts";
import { coreSources } from "../../apps/server/src/wordpress/core/sources.ts";

const root = resolve(import.meta.dirname, "../..");
const target = resolve(process.argv[2] ?? "build/wordpress");
const versions = join(target, "versions");

const cores = new CoreStore(versions, coreSources(process.env["WORDPRESS_CORE"]), console);
const { version, folder } = await cores.update();
mkdirSync(join(target, "nido"), { recursive: true });
cpSync(resolve(folder, ".."), join(target, "wordpress"), { recursive: true });
cpSync(join(root, "apps/server/src/wordpress/php"), join(target, "nido/nido"), { recursive: true });
mkdirSync(join(target, "nido/wp-cli"), { recursive: true });
await provideWpCli(join(target, "nido/wp-cli/wp-cli.phar"), process.env["WORDPRESS_CLI"]);
cpSync(join(root, "apps/agent/dist/agent.mjs"), join(target, "nido/agent.mjs"));
writeFileSync(join(target, "nido/version"), `${version}\n`);
rmSync(versions, { recursive: true });
