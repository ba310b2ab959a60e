import { Resolver } from "node:dns/promises";
import type { DnsRecord } from "@nido/contract";

const timeout = 5000;
const maxRecords = 20;
const maxValueLength = 255;
/** The name has no such record. */
const emptyAnswers = new Set(["ENOTFOUND", "ENODATA"]);

interface DnsAnswer {
  records: DnsRecord[];
  /** false if a query failed or timed out */
  isComplete: boolean;
}

/**
 * Reads a name's records from DNS_SERVERS or the machine's resolvers. The records are shown and compared, nothing more:
 * the product never connects to an address that a customer's DNS returns.
 */
export class Dns {
  private readonly servers: string[] | undefined;

  constructor(servers: string[] | undefined) {
    this.servers = servers;
  }

  /** The records that say where a domain points and which account it belongs to. */
  async lookUp(domain: string): Promise<DnsAnswer> {
    const resolver = new Resolver({ timeout: 1500, tries: 2 });
    if (this.servers) resolver.setServers(this.servers);
    const limit = setTimeout(() => resolver.cancel(), timeout);
    const proof = `_nido.${domain}`;
    const lower = (names: string[]) => names.map((name) => name.toLowerCase());
    const joined = (texts: string[][]) => texts.map((parts) => parts.join(""));
    let isComplete = true;
    const query = (type: DnsRecord["type"], name: string, values: Promise<string[]>) =>
      values.then(
        (found) => found.slice(0, maxRecords).map((value) => ({ type, name, value: clean(value) })),
        (error: NodeJS.ErrnoException) => {
          isComplete &&= emptyAnswers.has(error.code ?? "");
          return [];
        },
      );
    try {
      const records = await Promise.all([
        query("CNAME", domain, resolver.resolveCname(domain).then(lower)),
        query("A", domain, resolver.resolve4(domain)),
        query("AAAA", domain, resolver.resolve6(domain)),
        query("TXT", proof, resolver.resolveTxt(proof).then(joined)),
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
    .slice(0, maxValueLength)
    .replace(/\.$/, "");
}
