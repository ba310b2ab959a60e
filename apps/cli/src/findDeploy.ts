import type { CliProject } from "@nido/contract";
import { Failure } from "./Failure.ts";
import type { Texts } from "./texts.ts";

const minLength = 4;

/** The id of the deploy whose id begins like this. The server knows deploys that are too old to be listed by the whole id. */
export function findDeploy(t: Texts, { deploys }: CliProject, start: string): string {
  const found = deploys.filter(({ id, finished_at: at }) => at && id.replaceAll("-", "").startsWith(plain(start)));
  if (found.length > 1 || (found.length === 1 && plain(start).length < minLength))
    throw new Failure(t.idTooShort(start));
  return found[0]?.id ?? start;
}

function plain(id: string): string {
  return id.toLowerCase().replaceAll("-", "");
}
