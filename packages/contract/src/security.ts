import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import { z } from "zod";
import { codeSchema } from "./accounts.ts";
import type { ErrorKey } from "./errors.ts";
import { passwordMaxLength } from "./password.ts";

const key = (error: ErrorKey) => ({ error });

/** A signed-in browser. */
export interface SessionInfo {
  id: string;
  /** such as "Firefox · Linux"; empty if unknown */
  device: string;
  /** the network it signed in from, as an address prefix */
  place: string;
  created_at: string;
  last_seen_at: string;
  is_current: boolean;
}

export interface PasskeyInfo {
  id: string;
  name: string;
  created_at: string;
  used_at: string | null;
}

/** An access token of the command-line tool. */
export interface TokenInfo {
  id: string;
  /** a login belongs to a person at a machine; a CI token to a program */
  kind: "login" | "ci";
  name: string;
  /** the only project that it reaches; null: all */
  project: string | null;
  access: "publish" | "read";
  created_at: string;
  used_at: string | null;
  expires_at: string;
}

/** `GET /api/account/security` */
export interface Security {
  has_google: boolean;
  two_step: boolean;
  /** The operator requires it for this account. */
  two_step_required: boolean;
  totp: boolean;
  recovery_codes_left: number;
  passkeys: PasskeyInfo[];
  sessions: SessionInfo[];
}

/** The ways in which a customer can prove who they are. */
export const proofMethods = ["passkey", "totp", "recovery", "password", "google"] as const;
export type ProofMethod = (typeof proofMethods)[number];

/** `GET /auth/second-factor`, `GET /api/account/proof` */
export interface ProofQuestion {
  methods: ProofMethod[];
  passkey?: PublicKeyCredentialRequestOptionsJSON;
}

/** Validated by the WebAuthn library. */
const passkeyAnswer = z.looseObject({
  id: z.string().max(2000),
  rawId: z.string().max(2000),
  type: z.literal("public-key"),
});
const passkeyAnswerSchema = passkeyAnswer.transform((answer) => answer as unknown as AuthenticationResponseJSON);

export const passkeySignInSchema = z.strictObject({ passkey: passkeyAnswerSchema });

/** `POST /auth/second-factor`, `POST /api/account/proof` */
export const proofSchema = z.union([
  z.strictObject({ code: codeSchema }),
  z.strictObject({ recovery_code: z.string().max(40) }),
  passkeySignInSchema,
  z.strictObject({ password: z.string().min(1).max(passwordMaxLength) }),
]);
export type Proof = z.output<typeof proofSchema>;

export const passkeyNameMaxLength = 60;
/** `POST /api/account/passkeys` */
export const addPasskeySchema = z.strictObject({
  name: z.string().trim().min(1, key("error_invalid_input")).max(passkeyNameMaxLength, key("error_invalid_input")),
  passkey: passkeyAnswer.transform((answer) => answer as unknown as RegistrationResponseJSON),
});
export type PasskeyOptions = PublicKeyCredentialCreationOptionsJSON;

/** `POST /api/account/totp`: for an authenticator app */
export interface TotpSetup {
  secret: string;
  /** otpauth://…, shown as a QR code */
  uri: string;
}
export const confirmTotpSchema = z.strictObject({ code: codeSchema });

export interface RecoveryCodes {
  recovery_codes: string[];
}
