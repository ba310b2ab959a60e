import { isLanguage, type Language } from "@nido/contract";
import * as oidc from "openid-client";
import type { GoogleIdentity } from "../account/queries.ts";
import { AppError } from "../platform/AppError.ts";

export interface GoogleClient {
  issuer: URL;
  clientId: string;
  clientSecret: string;
  /** plain http, for a stand-in on this machine */
  allowInsecure: boolean;
}

/** The state of a sign-in, in a cookie while the customer is at Google. */
export interface Flow {
  state: string;
  nonce: string;
  verifier: string;
  returnTo: string;
  lang: Language;
  intent: GoogleIntent;
}

/** Why the browser goes to Google: to sign in, to link the account that is signed in, or to prove who they are. */
export const googleIntents = ["signIn", "link", "prove"] as const;
export type GoogleIntent = (typeof googleIntents)[number];

export const googleCallbackPath = "/auth/google/callback";

/** Sign-in by OpenID Connect, with PKCE, state and nonce. */
export class Google {
  private readonly client: GoogleClient;
  private readonly redirectUri: string;
  private discovered: Promise<oidc.Configuration> | undefined;

  constructor(client: GoogleClient, appUrl: URL) {
    this.client = client;
    this.redirectUri = new URL(googleCallbackPath, appUrl).href;
  }

  /** Returns the address to send the browser to, and the flow that `finish` checks. */
  async begin(returnTo: string, lang: Language, intent: GoogleIntent): Promise<{ url: URL; flow: Flow }> {
    const flow = {
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      verifier: oidc.randomPKCECodeVerifier(),
      returnTo,
      lang,
      intent,
    };
    const url = oidc.buildAuthorizationUrl(await this.configuration(), {
      redirect_uri: this.redirectUri,
      scope: "openid email profile",
      prompt: intent === "prove" ? "login" : "select_account",
      ui_locales: lang,
      state: flow.state,
      nonce: flow.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(flow.verifier),
      code_challenge_method: "S256",
    });
    return { url, flow };
  }

  /** The identity of the customer who came back. `query` is the callback's query string. */
  async finish(query: string, flow: Flow): Promise<GoogleIdentity> {
    const checks = {
      expectedState: flow.state,
      expectedNonce: flow.nonce,
      pkceCodeVerifier: flow.verifier,
      idTokenExpected: true,
    };
    const tokens = await oidc
      .authorizationCodeGrant(await this.configuration(), new URL(this.redirectUri + query), checks)
      .catch((cause) => {
        throw new AppError("error_google_failed", { cause });
      });
    const claims = tokens.claims();
    if (!claims || typeof claims["email"] !== "string") throw new AppError("error_google_failed");
    return {
      sub: claims.sub,
      email: claims["email"],
      emailVerified: claims["email_verified"] === true,
      givenName: text(claims["given_name"]),
      familyName: text(claims["family_name"]),
      avatarUrl: text(claims["picture"]),
      lang: flow.lang,
    };
  }

  private async configuration(): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret, allowInsecure } = this.client;
    this.discovered ??= oidc.discovery(issuer, clientId, clientSecret, undefined, {
      timeout: 10,
      execute: allowInsecure ? [oidc.allowInsecureRequests] : [],
    });
    try {
      return await this.discovered;
    } catch {
      this.discovered = undefined; // the next visitor tries again
      throw new AppError("error_google_failed");
    }
  }
}

export function parseFlow(cookie: string | undefined): Flow | undefined {
  try {
    const flow = JSON.parse(cookie ?? "");
    const hasTexts = ["state", "nonce", "verifier", "returnTo"].every((field) => typeof flow[field] === "string");
    return hasTexts && isLanguage(flow.lang) && googleIntents.includes(flow.intent) ? flow : undefined;
  } catch {
    return undefined;
  }
}

function text(claim: unknown): string {
  return typeof claim === "string" ? claim : "";
}
