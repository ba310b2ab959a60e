import { Client } from "../Client.ts";
import type { Context } from "../Context.ts";
import { findLogin, saveLogin } from "../logins.ts";

export async function logout(context: Context) {
  const { server, t, terminal } = context;
  const login = findLogin(server);
  if (login) {
    const client = new Client(server, login.token);
    // The login is removed from this machine even if the server cannot be reached.
    await client.call("DELETE", "/me").catch(() => undefined);
    client.close();
  }
  saveLogin(server, undefined);
  terminal.succeed(t.loggedOut);
  terminal.data({ server: server.origin });
}
