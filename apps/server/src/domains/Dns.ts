import { Resolver } from "node:dns/promises";
import type { DnsRecord } from "@nido/contract";

const timeLimit = 5000;
const mostRecords = 20;
const longest = 255;
/** The name has no such record. */
const nothing = new Set(["ENOTFOUND", "ENODATA"]);

/** DNS could not be asked: nothing is known. */
export class DnsUnreachable extends Error {
  override name = "DnsUnreachable";
}

/**
 * Reads a name's records from the resolvers it was given, or the machine's own. What it hears is shown and compared,
 * nothing more: no address that somebody's DNS answers is ever connected to.
 */
export class Dns {
  private readonly servers: string[] | undefined;

  constructor(servers: string[] | undefined) {
    this.servers = servers;
  }

  /** The records of a name that say where it leads, and whose it is. */
  async look(domain: string): Promise<DnsRecord[]> {
    const resolver = new Resolver({ timeout: 1500, tries: 2 });
    if (this.servers) resolver.setServers(this.servers);
    const limit = setTimeout(() => resolver.cancel(), timeLimit);
    const proof = `_nido.${domain}`;
    const records = (type: DnsRecord["type"], name: string, values: Promise<string[]>) =>
      values.then(
        (found) => found.slice(0, mostRecords).map((value) => ({ type, name, value: clean(value) })),
        (error: NodeJS.ErrnoException) => {
          if (nothing.has(error.code ?? "")) return [];
          throw new DnsUnreachable(`${type} ${name}: ${error.code}`, { cause: error });
        },
      );
    try {
      const found = await Promise.all([
        records(
          "CNAME",
          domain,
          resolver.resolveCname(domain).then((names) => names.map((name) => name.toLowerCase())),
        ),
        records("A", domain, resolver.resolve4(domain)),
        records("AAAA", domain, resolver.resolve6(domain)),
        records(
          "TXT",
          proof,
          resolver.resolveTxt(proof).then((texts) => texts.map((parts) => parts.join(""))),
        ),
      ]);
      return found.flat();
    } finally {
      clearTimeout(limit);
      resolver.cancel();
    }
  }
}

function clean(value: string): string {
  return value
    .replace(/[^\x20-\x7e]/g, "?")
    .slice(0, longest)
    .replace(/\.$/, "");
}
