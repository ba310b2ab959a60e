import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createGoogle } from "./google/createGoogle.ts";
import { createMailbox } from "./mail/createMailbox.ts";
import { mailPrefix } from "./mail/pages.ts";
import { createStripe } from "./stripe/createStripe.ts";

const googlePrefix = "/google";

export interface SandboxOptions {
  port: number;
  /** where Google redirects the user after the sign-in */
  redirectUri: URL;
  /** where Stripe sends its webhook events */
  webhookUrl: URL;
  /** folder for the data of the Stripe stand-in and for messages; without it they are kept in memory only */
  folder?: string | undefined;
}

/**
 * Serves the stand-ins on loopback. Their addresses use 127.0.0.1 instead of localhost, so that for the browser they
 * are cross-site to the dashboard, as Google and Stripe are.
 */
export async function startSandbox({ port, redirectUri, webhookUrl, folder }: SandboxOptions) {
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");

  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer = new URL(googlePrefix, origin);
  const client = {
    clientId: `sandbox-${randomBytes(6).toString("hex")}`,
    clientSecret: randomBytes(24).toString("hex"),
  };
  // Created on demand, because generating its RSA key is slow.
  let google: ReturnType<typeof createGoogle> | undefined;
  const file = folder && join(folder, "stripe.jsonl");
  const mailbox = await createMailbox(folder && join(folder, "mail.jsonl"));
  const stripe = createStripe({ origin, file, webhookUrl: webhookUrl.href });

  server.on("request", (request: IncomingMessage & { originalUrl?: string }, response) => {
    const url = request.url ?? "/";
    if (url === mailPrefix || url.startsWith(`${mailPrefix}/`)) return mailbox.handle(request, response);
    if (!url.startsWith(`${googlePrefix}/`)) return stripe.handle(request, response);
    request.originalUrl = url; // The provider builds its links from this property.
    request.url = url.slice(googlePrefix.length);
    google ??= createGoogle(issuer, { ...client, redirectUri: redirectUri.href });
    return google(request, response);
  });

  return {
    origin,
    google: { issuer, ...client, allowInsecure: true },
    stripe: { secretKey: stripe.apiKey, webhookSecret: stripe.webhookSecret, apiUrl: new URL(origin) },
    smtpUrl: mailbox.url,
    stop: async () => {
      await mailbox.stop();
      stripe.stop();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
