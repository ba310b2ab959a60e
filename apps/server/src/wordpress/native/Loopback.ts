import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../config/parseConfig.ts";
import { encryptionSecrets } from "../../platform/encryptionKey.ts";

/** The header with the token of a site that calls itself. */
export const loopbackHeader = "x-nido-loopback";

const lookMs = 5000;

/**
 * How a site's PHP reaches the site's own address, although the network policy keeps it from this machine: on a unix
 * socket of the web process, with a token that says which site it is.
 */
export class Loopback {
  private readonly folder: string;
  private readonly key: Buffer;
  private found = { socket: undefined as string | undefined, until: 0 };

  constructor(config: Config) {
    this.folder = loopbackFolder(config.DATA_DIR);
    const [secret = ""] = encryptionSecrets(config);
    this.key = Buffer.from(hkdfSync("sha256", secret, "", "loopback", 32));
  }

  /** Where this process listens. */
  get ownSocket(): string {
    return join(this.folder, `${process.pid}.sock`);
  }

  /** What PHP needs for it; undefined while no process listens. */
  accessOf(siteId: string): string | undefined {
    const socket = this.findSocket();
    return socket && `${socket} ${this.tokenOf(siteId)}`;
  }

  /** The site that a token was made for. */
  siteOf(token: unknown): string | undefined {
    const [id = ""] = String(token).split(".");
    const [given, right] = [Buffer.from(String(token)), Buffer.from(this.tokenOf(id))];
    return given.length === right.length && timingSafeEqual(given, right) ? id : undefined;
  }

  private tokenOf(siteId: string): string {
    return `${siteId}.${createHmac("sha256", this.key).update(siteId).digest("base64url")}`;
  }

  /** This process's own socket, or another's: workers have none. */
  private findSocket(): string | undefined {
    if (performance.now() < this.found.until) return this.found.socket;
    const names = listSockets(this.folder);
    const name = names.find((each) => each === `${process.pid}.sock`) ?? names.at(-1);
    this.found = { socket: name && join(this.folder, name), until: performance.now() + lookMs };
    return this.found.socket;
  }
}

/** Sites can see it; only web processes can write there. */
export function loopbackFolder(dataDir: string): string {
  return join(dataDir, "loopback");
}

export function listSockets(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+\.sock$/.test(name));
  } catch {
    return []; // the site manager has not created it yet
  }
}
