import { Resolver } from "node:dns/promises";
import type { DnsRecord } from "@nido/contract";

const timeLimit = 5000;
const mostRecords = 20;
const longest = 255;
/** The name has no such record. */
const nothing = new Set(["ENOTFOUND", "ENODATA"]);

/** What was heard of a name, and whether that is all. */
export interface Heard {
  records: DnsRecord[];
  isComplete: boolean;
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
  async look(domain: string): Promise<Heard> {
    const resolver = new Resolver({ timeout: 1500, tries: 2 });
    if (this.servers) resolver.setServers(this.servers);
    const limit = setTimeout(() => resolver.cancel(), timeLimit);
    const proof = `_nido.${domain}`;
    const lower = (names: string[]) => names.map((name) => name.toLowerCase());
    const joined = (texts: string[][]) => texts.map((parts) => parts.join(""));
    let isComplete = true;
    const hear = (type: DnsRecord["type"], name: string, values: Promise<string[]>) =>
      values.then(
        (found) => found.slice(0, mostRecords).map((value) => ({ type, name, value: clean(value) })),
        (error: NodeJS.ErrnoException) => {
          isComplete &&= nothing.has(error.code ?? "");
          return [];
        },
      );
    try {
      const records = await Promise.all([
        hear("CNAME", domain, resolver.resolveCname(domain).then(lower)),
        hear("A", domain, resolver.resolve4(domain)),
        hear("AAAA", domain, resolver.resolve6(domain)),
        hear("TXT", proof, resolver.resolveTxt(proof).then(joined)),
      ]);
      return { records: records.flat(), isComplete };
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
