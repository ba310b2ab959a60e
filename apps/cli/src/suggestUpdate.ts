import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "./Client.ts";
import type { Terminal } from "./Terminal.ts";
import type { Texts } from "./texts.ts";
import { userFolder } from "./userFolder.ts";

const day = 24 * 60 * 60 * 1000;

/** Says, once a day, that the server this copy came from has another version now. NIDO_NO_UPDATE_NOTICE turns it off. */
export function suggestUpdate(terminal: Terminal, t: Texts, { server, currentVersion }: Client, own: string) {
  if (!currentVersion || currentVersion === own || !terminal.isInteractive || terminal.isJson) return;
  if (process.env["NIDO_NO_UPDATE_NOTICE"] || wasSaidToday()) return;
  terminal.say(t.updateAvailable(`npm install -g ${new URL("/cli/nido.tgz", server)}`));
}

/** Marks that it was said. If that cannot be written down, it counts as said. */
function wasSaidToday(): boolean {
  try {
    const mark = join(userFolder("cache"), "update-notice");
    const said = statSync(mark, { throwIfNoEntry: false });
    if (said && Date.now() - said.mtimeMs < day) return true;
    mkdirSync(userFolder("cache"), { recursive: true, mode: 0o700 });
    writeFileSync(mark, "");
    return false;
  } catch {
    return true;
  }
}
