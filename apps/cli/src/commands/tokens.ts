import type { CliLogin, NamedToken } from "@nido/contract";
import type { Context } from "../Context.ts";

export async function createToken(context: Context, name: string) {
  const { token } = await context.signedIn().callOnce<CliLogin>("POST", "/tokens", { name });
  context.terminal.say(context.t.tokenCreated);
  context.terminal.result(token, { name, token });
}

export async function listTokens(context: Context) {
  const { t, terminal } = context;
  const tokens = await context.signedIn().call<NamedToken[]>("GET", "/tokens");
  const line = ({ id, name, used_at: used }: NamedToken) => [id, name, used?.slice(0, 10) ?? t.never].join("\t");
  terminal.list(tokens.map(line), tokens, t.noTokens);
}

export async function revokeToken(context: Context, id: string) {
  await context.signedIn().call("DELETE", `/tokens/${encodeURIComponent(id)}`);
  context.terminal.succeed(context.t.tokenRevoked);
  context.terminal.data({ id });
}
