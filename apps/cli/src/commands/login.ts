import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import type { DeviceLogin, ToolAccount, ToolLogin } from "@nido/contract";
import { ApiError, Client } from "../Client.ts";
import type { Context } from "../Context.ts";
import { Failure } from "../Failure.ts";
import { hasBrowser, openBrowser } from "../openBrowser.ts";
import type { Options } from "../options.ts";
import { findLogin, saveLogin } from "../settings.ts";
import type { Texts } from "../texts.ts";

const patience = 5 * 60_000;

export async function login(context: Context, { device }: Options) {
  const { server, t, terminal } = context;
  const token = device || !hasBrowser() ? await byCode(context) : await byBrowser(context);
  const client = new Client(server, token);
  const { email, lang } = await client.call<ToolAccount>("GET", "/me");
  client.close();
  saveLogin(server, { token, email, lang });
  terminal.succeed(t.loggedIn(email));
  terminal.data({ email });
}

/** The browser brings a code back to a port of this machine; it is worth something only with what we alone know. */
async function byBrowser({ server, t, terminal }: Context) {
  const verifier = randomBytes(32).toString("base64url");
  const state = randomBytes(16).toString("base64url");
  const listener = createServer().listen(0, "127.0.0.1");
  await once(listener, "listening");
  const page = new URL("/clilogin", server);
  page.searchParams.set("port", String((listener.address() as AddressInfo).port));
  page.searchParams.set("state", state);
  page.searchParams.set("challenge", createHash("sha256").update(verifier).digest("base64url"));
  page.searchParams.set("tool", hostname());
  terminal.say(t.opening(page.href));
  openBrowser(page.href);
  terminal.say(t.waiting);

  try {
    const code = await receiveCode(listener, state, new URL("/clisuccess", server).href, t);
    const client = new Client(server);
    const { token } = await client.callOnce<ToolLogin>("POST", "/token", { code, verifier });
    client.close();
    return token;
  } finally {
    listener.close();
    // Browsers open connections that they do not use.
    listener.closeAllConnections();
  }
}

function receiveCode(listener: Server, state: string, thanks: string, t: Texts): Promise<string> {
  return new Promise((resolve, reject) => {
    setTimeout(() => reject(new Failure(t.loginTimeout)), patience).unref();
    listener.on("request", (request, response) => {
      const [path, query] = (request.url ?? "/").split("?", 2);
      const params = new URLSearchParams(query);
      if (path !== "/" || params.get("state") !== state) return void response.writeHead(404).end();
      const code = params.get("code");
      response.writeHead(302, { location: code ? thanks : `${thanks}?denied=1`, connection: "close" }).end();
      if (code) resolve(code);
      else reject(new ApiError("error_code_denied"));
    });
  });
}

/** For a machine without a browser: a code that is typed in one elsewhere. */
async function byCode({ server, t, terminal }: Context) {
  const client = new Client(server);
  const asked = await client.call<DeviceLogin>("POST", "/device", { tool: hostname() });
  terminal.say(t.deviceCode(asked.user_code, asked.url));
  terminal.say(t.waiting);
  try {
    for (;;) {
      await pause(asked.interval * 1000);
      const answer = await client
        .callOnce<ToolLogin>("POST", "/device/token", { device_code: asked.device_code })
        .catch((error) => {
          const isPassing =
            error instanceof ApiError && /^error_(code_pending|network|too_many_requests)$/.test(error.key);
          if (!isPassing) throw error;
        });
      if (answer) return answer.token;
    }
  } finally {
    client.close();
  }
}

export async function logout(context: Context) {
  const { server, t, terminal } = context;
  const known = findLogin(server);
  if (known) {
    const client = new Client(server, known.token);
    // Signed out here even where the server does not hear of it.
    await client.call("DELETE", "/me").catch(() => undefined);
    client.close();
  }
  saveLogin(server, undefined);
  terminal.succeed(t.loggedOut);
  terminal.data({ server: server.origin });
}

export async function whoami(context: Context) {
  const { email } = await context.signedIn().call<ToolAccount>("GET", "/me");
  context.terminal.result(email, { email, server: context.server.origin });
}
