import type { CliAccount } from "@nido/contract";
import { Client } from "../Client.ts";
import type { Context } from "../Context.ts";
import { loginByDeviceCode } from "../login/loginByDeviceCode.ts";
import { loginInBrowser } from "../login/loginInBrowser.ts";
import { saveLogin } from "../logins.ts";
import { hasBrowser } from "../openBrowser.ts";
import type { Options } from "../options.ts";

export async function login(context: Context, options: Options) {
  context.terminal.data({ email: await signIn(context, options) });
}

/** Returns the e-mail of the account. */
export async function signIn(context: Context, { device }: Options): Promise<string> {
  const { server, t, terminal } = context;
  const token = device || !hasBrowser() ? await loginByDeviceCode(context) : await loginInBrowser(context);
  const client = new Client(server, token);
  const { email, lang } = await client.call<CliAccount>("GET", "/me");
  client.close();
  saveLogin(server, { token, email, lang });
  terminal.succeed(t.loggedIn(email));
  return email;
}
