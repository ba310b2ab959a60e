import type { PasskeyOptions, ProofQuestion } from "@nido/contract";

export function canUsePasskeys(): boolean {
  return "PublicKeyCredential" in window;
}

/** Asks the browser for a passkey's answer. The library is loaded when it is needed. */
export async function askPasskey(optionsJSON: NonNullable<ProofQuestion["passkey"]>) {
  const { startAuthentication } = await import("@simplewebauthn/browser");
  return startAuthentication({ optionsJSON });
}

export async function createPasskey(optionsJSON: PasskeyOptions) {
  const { startRegistration } = await import("@simplewebauthn/browser");
  return startRegistration({ optionsJSON });
}
