import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadNodeRuntime } from "@php-wasm/node";
import { PHP, setPhpIniEntries } from "@php-wasm/universal";
import { guardMemory } from "./guardMemory.ts";
import { guardNetwork, refuseListening } from "./guardNetwork.ts";
import { guardProcesses } from "./guardProcesses.ts";
import { mountFolder, Room } from "./mounts.ts";

export interface BootOptions {
  /** folders of this machine: the shared WordPress, what every site runs besides it, and the site's own */
  core: string;
  platform: string;
  site: string;
  /** in megabytes: what a request may use */
  memory: number;
  /** in bytes: what the site's folder may hold */
  disk: number;
  /** tells the instances of one process apart */
  processId: number;
}

/** In megabytes: what PHP needs besides what its requests use. Its own code, WordPress compiled, buffers. */
const overhead = 135;
const wear = 0.85;

// A full site must still be able to delete something, which its database writes down.
const databaseReserve = 2 ** 26;

const withoutProcesses = "exec,shell_exec,system,passthru,popen,proc_open,dl,putenv,symlink,link";
const withoutListening = "stream_socket_server,socket_create_listen,socket_bind";

/** Starts a PHP that has one site in it, and nothing else of this machine. */
export async function boot({ core, platform, site, memory, disk, processId }: BootOptions) {
  const limit = (memory + overhead) * 2 ** 20;
  const usedMemory = guardMemory(limit);
  guardNetwork();
  guardProcesses();
  const php = new PHP(await loadNodeRuntime("8.3", { emscriptenOptions: { processId, thisProgram: "php" } }));
  refuseListening();
  // The cache of compiled files works for the interfaces it knows only.
  await php.setSapiName("fpm-fcgi");
  await setPhpIniEntries(php, {
    memory_limit: `${memory}M`,
    disable_functions: `${withoutProcesses},${withoutListening}`,
    display_errors: "0",
    log_errors: "1",
    expose_php: "0",
    upload_max_filesize: "64M",
    post_max_size: "66M",
    max_input_vars: "5000",
    "opcache.enable": "1",
    "opcache.file_cache": "",
    "opcache.file_cache_only": "0",
    "opcache.memory_consumption": "64",
    "opcache.max_accelerated_files": "8000",
    "opcache.revalidate_freq": "2",
  });

  const mount = async (point: string, folder: string, access: "read" | Room) => {
    php.mkdir(point);
    await php.mount(point, mountFolder(folder, access));
  };
  await mount("/wordpress", core, "read");
  for (const name of ["nido", "sqlite"]) await mount(`/${name}`, join(platform, name), "read");
  php.writeFile("/wp-config.php", readFileSync(join(core, "../wp-config.php")));
  php.mkdir("/site");
  php.writeFile("/site/site.json", readFileSync(join(site, "site.json")));
  const room = new Room(site, disk);
  for (const name of ["wp-content", "state", "mail"]) await mount(`/site/${name}`, join(site, name), room);
  await mount("/site/database", join(site, "database"), new Room(site, disk + databaseReserve));
  /** Whether so much has been used that a fresh start is due. */
  const isWorn = () => usedMemory() > limit * wear;
  return { php, isWorn };
}
