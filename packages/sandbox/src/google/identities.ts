import { createHash } from "node:crypto";

export interface Identity {
  email: string;
  givenName: string;
  familyName: string;
  verified: boolean;
}

/** The identities that the account page offers. */
export const people: Identity[] = [
  { email: "lucia@example.com", givenName: "Lucía", familyName: "Marín", verified: true },
  { email: "tom@example.com", givenName: "Tom", familyName: "Rivers", verified: true },
  { email: "demo@nido.example", givenName: "Cliente", familyName: "de ejemplo", verified: true },
];

/** Derived from the e-mail, so that it survives restarts. Differs from the ids of Google, which are digits only. */
export function subOf({ email }: Identity): string {
  return `sandbox-${createHash("sha256").update(email.toLowerCase()).digest("hex").slice(0, 21)}`;
}

export function claimsOf(identity: Identity) {
  return {
    sub: subOf(identity),
    email: identity.email,
    email_verified: identity.verified,
    given_name: identity.givenName,
    family_name: identity.familyName,
    name: `${identity.givenName} ${identity.familyName}`.trim(),
  };
}
