import { execFileSync } from "node:child_process";
import { canTakePictures } from "@nido/server/pictures/takePicture";

/** Why this machine cannot take pictures of sites; undefined if it can. */
export function whyNoPictures(): string | undefined {
  if (!canTakePictures()) return "Chromium or bubblewrap is not installed";
  try {
    execFileSync("bwrap", ["--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "/bin/true"], {
      stdio: "ignore",
    });
    return undefined;
  } catch {
    return "bubblewrap cannot create namespaces here";
  }
}
