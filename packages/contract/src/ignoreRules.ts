import ignore from "ignore";
import type { IgnoreRules } from "./siteFiles.ts";

export const ignoreFile = ".nidoignore";

/** A `.nidoignore`, and the path from its folder to the site's root: "" or with a slash at its end. */
export interface IgnoreSource {
  text: string;
  prefix: string;
}

/**
 * What ignore files say about a path. As with git, patterns are relative to the file that has them, the last file that
 * says something counts, and `!` takes an exclusion back.
 */
export function readIgnoreRules(sources: IgnoreSource[]): IgnoreRules {
  const parsed = sources.map(({ text, prefix }) => ({ prefix, rules: ignore().add(text) }));
  // A pattern like `!dist/**` is no statement about secrets.
  const names = sources.flatMap(({ text }) => [...text.matchAll(/^!(?:.*\/)?([^/*?[\r\n]+)\r?$/gm)]);
  const named = new Set(names.map(([, name]) => name?.trim()));
  const judge = (path: string): "ignored" | "wanted" | undefined => {
    let verdict: "ignored" | "wanted" | undefined;
    for (const { rules, prefix } of parsed) {
      const { ignored, unignored } = rules.test(prefix + path);
      if (ignored) verdict = "ignored";
      else if (unignored) verdict = "wanted";
    }
    return verdict;
  };
  return {
    judge,
    isNoSecret: (path: string) => named.has(path.split("/").at(-1)) && judge(path) === "wanted",
  };
}
