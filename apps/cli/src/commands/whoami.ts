import type { CliAccount } from "@nido/contract";
import type { Context } from "../Context.ts";

export async function whoami(context: Context) {
  const { email } = await context.signedIn().call<CliAccount>("GET", "/me");
  context.terminal.result(email, { email, server: context.server.origin });
}
