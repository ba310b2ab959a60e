import { setTimeout as pause } from "node:timers/promises";
import type { CliSite, SiteWork } from "@nido/contract";
import type { Context } from "./Context.ts";
import { Failure } from "./Failure.ts";

const pollMs = 1000;

export async function findSite(context: Context): Promise<CliSite> {
  const name = context.projectName();
  const sites = await context.signedIn().call<CliSite[]>("GET", "/sites");
  const site = sites.find((each) => each.name === name);
  if (!site) throw new Failure(context.t.errors.error_project_not_found);
  return site;
}

/** Calls the API of the chosen site. Only reading is repeated if the connection fails. */
export async function ask<Answer>(context: Context, method: string, path: string, body?: unknown): Promise<Answer> {
  const { id } = await findSite(context);
  const client = context.signedIn();
  const whole = `/sites/${id}${path}`;
  return method === "GET" ? client.call(method, whole) : client.callOnce(method, whole, body);
}

/** Asks for something that takes a while, and shows its progress until it is done. */
export async function work(
  context: Context,
  kind: Exclude<SiteWork["kind"], "plan">,
  path: string,
  body: object = {},
  done?: string,
) {
  const { t, terminal } = context;
  await ask(context, "POST", path, body);
  for (;;) {
    const site = await findSite(context);
    if (!site.work) break;
    if (site.work.has_failed) throw new Failure(t.wp.failed[kind]);
    terminal.progress(t.wp.working[kind], site.work.progress);
    await pause(pollMs);
  }
  terminal.succeed(done ?? t.wp.done[kind]);
}

/** Prints the address of the staging copy. */
export async function showStaging(context: Context) {
  const { staging } = await findSite(context);
  context.terminal.result(staging?.url ?? "", staging);
}
