import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** The folder for the CLI's configuration or cache, by the conventions of the operating system. */
export function userFolder(kind: "config" | "cache"): string {
  const { env, platform } = process;
  const isWindows = platform === "win32";
  const configured = isWindows
    ? env["LOCALAPPDATA"]
    : kind === "config"
      ? env["XDG_CONFIG_HOME"]
      : env["XDG_CACHE_HOME"];
  const usual = join(homedir(), isWindows ? "AppData/Local" : kind === "config" ? ".config" : ".cache");
  // A relative path is ignored, as the XDG specification demands: it would depend on the working directory.
  const base = configured && isAbsolute(configured) ? configured : usual;
  return isWindows ? join(base, "nido", kind) : join(base, "nido");
}
