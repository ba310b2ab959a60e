import { text } from "node:stream/consumers";
import type { Context } from "../Context.ts";
import { exitCodes, Failure } from "../Failure.ts";
import type { Options } from "../options.ts";

/** The password is typed or piped in: an argument would stay in the shell's history. */
export async function protect(context: Context, { branch }: Options) {
  const { t, terminal } = context;
  const typed = terminal.isInteractive ? await terminal.prompt(t.whichPassword) : (await text(process.stdin)).trim();
  if (!typed) throw new Failure(terminal.isInteractive ? t.cancelled : t.passwordMissing, exitCodes.usage);
  await setPassword(context, branch, typed);
  terminal.succeed(t.protected(branch));
}

export async function unprotect(context: Context, { branch }: Options) {
  await setPassword(context, branch, null);
  context.terminal.succeed(context.t.unprotected(branch));
}

async function setPassword(context: Context, branch: string | undefined, password: string | null) {
  const project = context.projectName();
  await context.signedIn().call("PUT", `/projects/${encodeURIComponent(project)}/password`, { branch, password });
  context.terminal.data({ project, branch: branch ?? null, protected: password !== null });
}
