import { Failure } from "../Failure.ts";
import type { Texts } from "../texts.ts";
import type { RejectedFiles } from "./findFiles.ts";

/** Ends the command with a list of the files that must not be published, by reason. */
export function rejectFiles({ secrets, links, names }: RejectedFiles, t: Texts) {
  const lines = (paths: string[]) => paths.map((path) => `  ${path}`).join("\n");
  const reasons = [
    secrets.length > 0 && t.refusedSecrets(lines(secrets)),
    links.length > 0 && t.refusedLinks(lines(links)),
    names.length > 0 && t.refusedNames(lines(names)),
  ].filter(Boolean);
  if (reasons.length > 0) throw new Failure(reasons.join("\n\n"));
}
