import { z } from "zod";
import { AppError } from "../../platform/AppError.ts";
import { askSource, type Options, type Source, SourceError } from "./askSource.ts";

const maxRedirects = 3;
const maxTables = 1000;

const siteSchema = z.object({
  tables: z.array(z.string().max(64)).min(1).max(maxTables),
  is_network: z.boolean(),
  bytes: z.number().int().min(0),
});

/** What another WordPress has to copy, and where it really is. Throws an AppError that says why it cannot be read. */
export async function describeSource(given: Source, options: Options) {
  let source = given;
  for (let redirects = 0; ; redirects++) {
    try {
      const { bytes } = await askSource(source, "site", {}, options);
      const { data } = siteSchema.safeParse(parse(bytes));
      if (!data) throw new SourceError("error_move_in_plugin", "it does not answer as our plugin");
      if (data.is_network) throw new SourceError("error_move_in_network", "it is a network of sites");
      return { source, tables: data.tables, bytes: data.bytes };
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      if (!error.movedTo || redirects === maxRedirects) throw new AppError(error.key);
      source = { ...source, url: error.movedTo };
    }
  }
}

/**
 * What people copy from their browser: perhaps without https://, or a page of the administration. WordPress accepts
 * application passwords without HTTPS only on a local machine.
 */
export function addressOf(text: string, isLocal: boolean): string {
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`);
  if (!url || url.username || url.password) throw new AppError("error_move_in_source");
  const path = url.pathname.replace(/\/(wp-admin|wp-login\.php|wp-json|index\.php).*$/, "/");
  if (!isLocal) url.protocol = "https:";
  return new URL(path, url.origin).href;
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
