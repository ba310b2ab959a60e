import { type CliLogin, type NamedToken, tokenMaxDays } from "@nido/contract";
import type { Context } from "../Context.ts";
import { exitCodes, Failure } from "../Failure.ts";
import type { Options } from "../options.ts";

/** Creates a token for all projects, or for the one that --project names; nido.json is ignored. */
export async function createToken(context: Context, options: Options, name: string) {
  const { t } = context;
  const days = options.days === undefined ? tokenMaxDays : Number(options.days);
  if (!Number.isInteger(days) || days < 1 || days > tokenMaxDays)
    throw new Failure(t.daysInvalid(tokenMaxDays), exitCodes.usage);
  const { token } = await context.signedIn().callOnce<CliLogin>("POST", "/tokens", {
    name,
    project: options.project,
    access: options.readOnly ? "read" : "publish",
    days,
  });
  context.terminal.say(t.tokenCreated);
  context.terminal.result(token, { name, token });
}

export async function listTokens(context: Context) {
  const { t, terminal } = context;
  const tokens = await context.signedIn().call<NamedToken[]>("GET", "/tokens");
  const line = ({ id, name, project, access, used_at: used, expires_at: expires }: NamedToken) =>
    [
      id,
      name,
      project ?? t.allProjects,
      t.access[access],
      used?.slice(0, 10) ?? t.never,
      t.expires(expires.slice(0, 10)),
    ].join("\t");
  terminal.list(tokens.map(line), tokens, t.noTokens);
}

export async function revokeToken(context: Context, id: string) {
  await context.signedIn().call("DELETE", `/tokens/${encodeURIComponent(id)}`);
  context.terminal.succeed(context.t.tokenRevoked);
  context.terminal.data({ id });
}
