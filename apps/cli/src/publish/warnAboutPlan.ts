import { type DeployPlan, lowStorage, mainBranch, maxPreviewBranches } from "@nido/contract";
import type { Context } from "../Context.ts";
import { Failure } from "../Failure.ts";
import type { Options } from "../options.ts";
import type { Terminal } from "../Terminal.ts";
import type { Texts } from "../texts.ts";

export function warnAboutStorage(t: Texts, terminal: Terminal, { storage }: DeployPlan) {
  const { used, allowed } = storage ?? { used: 0, allowed: 1 };
  if (used > lowStorage * allowed) terminal.warn(t.storageLow(Math.round((100 * used) / allowed)));
}

/** Only so many branches are kept: a new one takes the place of the oldest. */
export async function warnAboutBranch(context: Context, { branch = mainBranch, yes }: Options) {
  const { t, terminal } = context;
  const { branches } = await context.project();
  const previews = Object.entries(branches).filter(([name]) => name !== mainBranch);
  if (branch === mainBranch || branches[branch] || previews.length < maxPreviewBranches) return;
  const [oldest] = previews.sort(([, one], [, other]) => (one.changed_at < other.changed_at ? -1 : 1));
  terminal.warn(t.branchReplaced(maxPreviewBranches, oldest?.[0] ?? ""));
  if (!terminal.isInteractive || yes) return;
  if (!/^[sy]/i.test((await terminal.prompt(t.continue)) ?? "")) throw new Failure(t.cancelled);
}
