import { childProcess } from "./lazyBuiltins.ts";

const { env, platform } = process;

/** Whether the user can be expected to have a browser on this machine. */
export function hasBrowser(): boolean {
  if (env["BROWSER"]) return true;
  if (env["SSH_CONNECTION"] || env["CI"]) return false;
  return platform === "darwin" || platform === "win32" || Boolean(env["DISPLAY"] || env["WAYLAND_DISPLAY"]);
}

/** Tries to open an address. A failure is ignored, because the address is printed too. */
export function openBrowser(url: string) {
  const [command, ...args] = opener();
  const child = childProcess().spawn(command as string, [...args, url], { stdio: "ignore", detached: true });
  child.on("error", () => undefined);
  child.unref();
}

function opener(): string[] {
  if (env["BROWSER"]) return [env["BROWSER"]];
  if (platform === "darwin") return ["open"];
  // Not `start`, which runs in cmd.exe: a shell would interpret characters of the address such as `&`.
  return platform === "win32" ? ["rundll32", "url.dll,FileProtocolHandler"] : ["xdg-open"];
}
