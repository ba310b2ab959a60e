import type { Context } from "../Context.ts";

export async function domains(context: Context) {
  const { domains: own } = await context.project();
  const lines = own.map(({ domain, status, branch }) => [domain, branch, context.t.domainStatus[status]].join("\t"));
  context.terminal.list(lines, own, "");
}
