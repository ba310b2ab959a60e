import type { Domain } from "@nido/contract";
import type { Context } from "../Context.ts";
import type { Options } from "../options.ts";

export async function listDomains(context: Context) {
  const { domains } = await context.project();
  const lines = domains.map(({ domain, status, branch }) =>
    [domain, branch, context.t.domainStatus[status]].join("\t"),
  );
  context.terminal.list(lines, domains, "");
}

/** Adds a domain, and says which DNS records it needs. */
export async function addDomain(context: Context, domain: string, { www }: Options) {
  const { t, terminal } = context;
  const path = `/projects/${encodeURIComponent(context.projectName())}/domains`;
  const added = await context
    .signedIn()
    .callOnce<Domain[]>("POST", path, { domain, ...(www && { with_counterpart: true }) });
  terminal.succeed(t.domainAdded(added.map((one) => one.domain).join(", ")));
  const records = added.flatMap(({ expected = [] }) => expected);
  terminal.result(records.map(({ type, name, value }) => [type, name, value].join("\t")).join("\n"), added);
}
