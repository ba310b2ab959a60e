import type { TokenInfo } from "@nido/contract";
import type { findTokens } from "./accessTokens.ts";

type TokenRow = Awaited<ReturnType<typeof findTokens>>[number];

export function presentToken({ createdAt, usedAt, expiresAt, ...token }: TokenRow): TokenInfo {
  return {
    ...token,
    created_at: createdAt.toISOString(),
    used_at: usedAt?.toISOString() ?? null,
    expires_at: expiresAt.toISOString(),
  };
}
