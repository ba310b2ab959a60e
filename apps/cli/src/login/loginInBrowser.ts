import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { hostname } from "node:os";
import type { CliLogin } from "@nido/contract";
import { ApiError } from "../ApiError.ts";
import { Client } from "../Client.ts";
import type { Context } from "../Context.ts";
import { Failure } from "../Failure.ts";
import { openBrowser } from "../openBrowser.ts";
import type { Texts } from "../texts.ts";

const timeoutMs = 5 * 60_000;

/** Authorization code flow with PKCE. The browser delivers the code to a loopback port. */
export async function loginInBrowser({ server, t, terminal }: Context) {
  const verifier = randomBytes(32).toString("base64url");
  const state = randomBytes(16).toString("base64url");
  const listener = createServer().listen(0, "127.0.0.1");
  await once(listener, "listening");
  const page = new URL("/clilogin", server);
  page.searchParams.set("port", String((listener.address() as AddressInfo).port));
  page.searchParams.set("state", state);
  page.searchParams.set("challenge", createHash("sha256").update(verifier).digest("base64url"));
  page.searchParams.set("machine", hostname());
  terminal.say(t.opening(page.href));
  openBrowser(page.href);
  terminal.say(t.waiting);

  try {
    const code = await receiveCode(listener, state, new URL("/clisuccess", server).href, t);
    const client = new Client(server);
    const { token } = await client.callOnce<CliLogin>("POST", "/token", { code, verifier });
    client.close();
    return token;
  } finally {
    listener.close();
    // Browsers open spare connections, which would keep the process alive.
    listener.closeAllConnections();
  }
}

function receiveCode(listener: Server, state: string, successPage: string, t: Texts): Promise<string> {
  return new Promise((resolve, reject) => {
    setTimeout(() => reject(new Failure(t.loginTimeout)), timeoutMs).unref();
    listener.on("request", (request, response) => {
      const [path, query] = (request.url ?? "/").split("?", 2);
      const params = new URLSearchParams(query);
      if (path !== "/" || params.get("state") !== state) return void response.writeHead(404).end();
      const code = params.get("code");
      response.writeHead(302, { location: code ? successPage : `${successPage}?denied=1`, connection: "close" }).end();
      if (code) resolve(code);
      else reject(new ApiError("error_code_denied"));
    });
  });
}
