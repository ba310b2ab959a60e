import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { loadNodeRuntime } from "@php-wasm/node";
import { PHP, setPhpIniEntries } from "@php-wasm/universal";
import { guardMemory } from "./guardMemory.ts";
import { guardNetwork, refuseListening } from "./guardNetwork.ts";
import { guardProcesses } from "./guardProcesses.ts";
import { DiskQuota, mountFolder } from "./mounts.ts";
import type { PhpVersion } from "./phpVersions.ts";

export interface BootOptions {
  /** folders on the host: WordPress, the platform shared by all sites, and the site's own */
  core: string;
  platform: string;
  site: string;
  php: PhpVersion;
  /** memory limit of a request, in megabytes */
  memory: number;
  /** size limit of the site's folder, in bytes */
  disk: number;
  /** a number for each PHP instance in this process */
  processId: number;
}

/** Memory that PHP needs besides its requests, in megabytes: its code, the opcode cache, buffers, and what is fragmented. */
const overhead = 200;
/** An upload is in memory as a whole before PHP sees it. */
const upload = 66;
/** WebAssembly memory never shrinks, so PHP restarts once it has used so much beyond the plan's memory, in megabytes. */
const restartAbove = 95;

// A full site must still be able to delete something, which writes to its database.
const databaseReserve = 2 ** 26;

/** Where Debian's WordPress looks for the certificate authorities that it trusts. */
const authorities = "/etc/ssl/certs/ca-certificates.crt";

const withoutProcesses = "exec,shell_exec,system,passthru,popen,proc_open,dl,putenv,symlink,link";
/** It writes empty files. Without it, WordPress asks for another format. */
const withoutAvif = "imageavif";
const withoutListening = "stream_socket_server,socket_create_listen,socket_bind";

/** Starts a PHP that sees one site and nothing else of the machine. */
export async function boot({ core, platform, site, php: version, memory, disk, processId }: BootOptions) {
  const limit = (memory + overhead + upload) * 2 ** 20;
  const usedMemory = guardMemory(limit);
  guardNetwork();
  guardProcesses();
  const php = new PHP(await loadNodeRuntime(version, { emscriptenOptions: { processId, thisProgram: "php" } }));
  refuseListening();
  // OPcache is enabled only for the SAPI names that it knows.
  await php.setSapiName("fpm-fcgi");
  await setPhpIniEntries(php, {
    memory_limit: `${memory}M`,
    disable_functions: `${withoutProcesses},${withoutListening},${withoutAvif}`,
    display_errors: "0",
    log_errors: "1",
    error_log: "/site/state/php.log",
    expose_php: "0",
    upload_max_filesize: "64M",
    post_max_size: "66M",
    max_input_vars: "5000",
    // Each piece that PHP prints costs memory until it is read.
    output_buffering: "65536",
    "opcache.enable": "1",
    "opcache.file_cache": "",
    "opcache.file_cache_only": "0",
    "opcache.memory_consumption": "64",
    "opcache.max_accelerated_files": "8000",
    "opcache.revalidate_freq": "2",
    "openssl.cafile": authorities,
    "curl.cainfo": authorities,
  });
  php.mkdir(dirname(authorities));
  php.writeFile(authorities, readFileSync(join(core, "wp-includes/certificates/ca-bundle.crt")));

  const mount = async (point: string, folder: string, access: "read" | DiskQuota) => {
    php.mkdir(point);
    await php.mount(point, mountFolder(folder, access));
  };
  await mount("/wordpress", core, "read");
  for (const name of ["nido", "sqlite", "wp-cli"]) await mount(`/${name}`, join(platform, name), "read");
  php.writeFile("/wp-config.php", readFileSync(join(core, "../wp-config.php")));
  php.mkdir("/site");
  php.writeFile("/site/site.json", readFileSync(join(site, "site.json")));
  const quota = new DiskQuota(site, disk);
  for (const name of ["wp-content", "state", "mail"]) await mount(`/site/${name}`, join(site, name), quota);
  await mount("/site/database", join(site, "database"), new DiskQuota(site, disk + databaseReserve));
  /** Whether so much memory is used that PHP should be restarted. */
  const needsRestart = () => usedMemory() > (memory + restartAbove) * 2 ** 20;
  return { php, needsRestart };
}
