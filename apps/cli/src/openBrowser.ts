import { childProcess } from "./builtins.ts";

const { env, platform } = process;

/** Whether somebody sits before a browser on this machine. */
export function hasBrowser(): boolean {
  if (env["BROWSER"]) return true;
  if (env["SSH_CONNECTION"] || env["CI"]) return false;
  return platform === "darwin" || platform === "win32" || Boolean(env["DISPLAY"] || env["WAYLAND_DISPLAY"]);
}

/** Opens an address, if that can be done; the address is always shown too. */
export function openBrowser(url: string) {
  const [command, ...args] = opener();
  const child = childProcess().spawn(command as string, [...args, url], { stdio: "ignore", detached: true });
  child.on("error", () => undefined);
  child.unref();
}

function opener(): string[] {
  if (env["BROWSER"]) return [env["BROWSER"]];
  if (platform === "darwin") return ["open"];
  // Not `start`, which is the shell's: an address may contain what a shell would act on.
  return platform === "win32" ? ["rundll32", "url.dll,FileProtocolHandler"] : ["xdg-open"];
}
