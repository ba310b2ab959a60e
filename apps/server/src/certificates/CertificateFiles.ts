import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { covers } from "./names.ts";
import { type ServedCertificate, serve } from "./secureContext.ts";

export interface FilePair {
  chain: string;
  key: string;
}

const checkInterval = 30_000;

/** The certificates that the operator provides as files. They are read again when the files change. */
export class CertificateFiles {
  private readonly pairs: FilePair[];
  private readonly onError: (error: Error, file: string) => void;
  private readonly served = new Map<string, { changedAt: number; certificate: ServedCertificate }>();
  private timer: NodeJS.Timeout | undefined;

  constructor(pairs: FilePair[], onError: (error: Error, file: string) => void) {
    this.pairs = pairs;
    this.onError = onError;
  }

  async start() {
    await this.read();
    this.timer = setInterval(() => void this.read(), checkInterval).unref();
  }

  stop() {
    clearInterval(this.timer);
  }

  find(host: string): ServedCertificate | undefined {
    for (const { certificate } of this.served.values()) if (covers(certificate.names, host)) return certificate;
    return undefined;
  }

  private async read() {
    for (const { chain, key } of this.pairs) {
      try {
        const changedAt = Math.max(statSync(chain).mtimeMs, statSync(key).mtimeMs);
        if (this.served.get(chain)?.changedAt === changedAt) continue;
        const certificate = serve({ chain: await readFile(chain, "utf8"), key: await readFile(key, "utf8") });
        this.served.set(chain, { changedAt, certificate });
      } catch (error) {
        // The last certificate stays in use, for example while a program is replacing the two files.
        this.onError(error as Error, chain);
      }
    }
  }
}
