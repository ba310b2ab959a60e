import { generateKeyPairSync, randomBytes } from "node:crypto";
import Provider, { type Configuration, interactionPolicy } from "oidc-provider";
import { readForm } from "../readForm.ts";
import { accountPage } from "./accountPage.ts";
import { claimsOf, type Identity, people, subOf } from "./identities.ts";
import { MemoryAdapter } from "./MemoryAdapter.ts";

interface Client {
  clientId: string;
  clientSecret: string;
  redirectUri: string;
}

/** An OpenID Connect provider that lets the tester pick an identity instead of asking for a password. */
export function createGoogle(issuer: URL, { clientId, clientSecret, redirectUri }: Client) {
  const known = new Map<string, Identity>(people.map((person) => [subOf(person), person]));
  const provider = new Provider(issuer.href, {
    ...configuration(),
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    findAccount: (_context, sub) => {
      const identity = known.get(sub);
      return identity && { accountId: sub, claims: () => claimsOf(identity) };
    },
  });

  provider.use(async (context, next) => {
    const page = context.path.match(/^\/account\/[\w-]+$/);
    if (!page) return next();
    if (context.method === "GET") {
      const { params } = await provider.interactionDetails(context.req, context.res);
      context.body = accountPage(people, String(params["ui_locales"] ?? "es"));
      return;
    }
    const answer = new URLSearchParams(await readForm(context.req));
    if (answer.get("answer") === "cancel") {
      return provider.interactionFinished(context.req, context.res, {
        error: "access_denied",
        error_description: "The tester cancelled the sign-in",
      });
    }
    const identity = chosenIdentity(answer);
    known.set(subOf(identity), identity);
    return provider.interactionFinished(context.req, context.res, {
      login: { accountId: subOf(identity), remember: false },
      select_account: {},
    });
  });
  return provider.callback();
}

function configuration(): Configuration {
  const policy = interactionPolicy.base();
  policy.remove("consent");
  policy.add(new interactionPolicy.Prompt({ name: "select_account", requestable: true }), 0);

  return {
    adapter: MemoryAdapter,
    cookies: { keys: [randomBytes(32).toString("hex")] },
    jwks: {
      keys: [
        {
          ...generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ format: "jwk" }),
          use: "sig",
          alg: "RS256",
        } as never,
      ],
    },
    claims: {
      openid: ["sub"],
      email: ["email", "email_verified"],
      profile: ["given_name", "family_name", "name", "picture"],
    },
    // Google includes the profile in the ID token; the specification only requires it in the userinfo response.
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    interactions: { policy, url: (_context, interaction) => `${issuerPath}/account/${interaction.uid}` },
    pkce: { required: () => true },
    ttl: { Interaction: 600, Session: 600, Grant: 600, IdToken: 600, AccessToken: 600 },
    // Consent is granted without a prompt, because the only client is ours.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId ?? "",
        accountId: oidc.session?.accountId ?? "",
      });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  };
}

const issuerPath = "/google";

function chosenIdentity(form: URLSearchParams): Identity {
  const person = people[Number(form.get("person") ?? Number.NaN)];
  if (person) return person;
  return {
    email: form.get("email") ?? "",
    givenName: form.get("given_name") ?? "",
    familyName: form.get("family_name") ?? "",
    verified: form.has("verified"),
  };
}
