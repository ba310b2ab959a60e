import { join } from "node:path";
import { type Recipe, resourcesOf } from "@nido/contract";
import { siteLimits } from "./siteLimits.ts";

interface Options {
  site: string;
  socket: string;
  recipe: Recipe;
  /** how long requests get to finish when PHP is stopped */
  stopSeconds?: number;
}

const withoutProcesses =
  "exec,shell_exec,system,passthru,popen,proc_open,pcntl_exec,pcntl_fork,dl,putenv,mail,posix_mkfifo,symlink,link";
/** A response must not end before the site has reported what the request changed. */
const withoutEarlyEnd = "fastcgi_finish_request";
const withoutListening = "stream_socket_server,socket_create_listen,socket_bind";

/** The configuration of a site's own PHP-FPM, which runs as the site's user. PHP code cannot change admin values. */
export function fpmConfig({ site, socket, recipe, stopSeconds = 5 }: Options): string {
  const { memory } = resourcesOf(recipe);
  const admin = {
    memory_limit: `${memory}M`,
    disable_functions: [withoutProcesses, withoutListening, withoutEarlyEnd].join(","),
    upload_tmp_dir: join(site, "tmp"),
    sys_temp_dir: join(site, "tmp"),
    "session.save_path": join(site, "tmp"),
    error_log: join(site, "tmp/php.log"),
    upload_max_filesize: "64M",
    post_max_size: "66M",
    display_errors: "off",
    log_errors: "on",
    expose_php: "off",
    "ffi.enable": "off",
    max_input_vars: "5000",
    // Most pages go to the web process in one piece. Each piece would wake it up.
    output_buffering: "65536",
    "opcache.memory_consumption": "64",
    "opcache.max_accelerated_files": "8000",
  };
  return `[global]
error_log = /dev/null
daemonize = no
process_control_timeout = ${stopSeconds}s

[site]
listen = ${socket}
listen.mode = 0600
pm = ondemand
pm.max_children = ${siteLimits(recipe).children}
pm.process_idle_timeout = 30s
pm.max_requests = 500
request_terminate_timeout = 150s
clear_env = yes
env[MAGICK_TEMPORARY_PATH] = ${join(site, "tmp")}
security.limit_extensions = .php
catch_workers_output = no
${Object.entries(admin)
  .map(([name, value]) => `php_admin_value[${name}] = ${value}`)
  .join("\n")}
`;
}
