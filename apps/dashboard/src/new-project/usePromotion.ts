import type { ErrorKey, Promotion } from "@nido/contract";
import { useCallback } from "react";
import { ApiError, api } from "../api/api.ts";
import { useCall } from "../api/useCall.ts";
import { serverPaths } from "../paths.ts";

export type PromotionState =
  | { status: "none" | "loading" | "unknown" }
  | { status: "offered"; promotion: Promotion }
  | {
      status: "refused";
      reason: ErrorKey;
      /** The customer can never use it. Another code may be mistyped: the purchase says so. */
      isFinal: boolean;
    };

/** What a promotional code offers this visitor. */
export function usePromotion(promo: string | undefined): PromotionState {
  const code = promo?.trim().toLowerCase();
  const load = useCallback(
    async (signal: AbortSignal): Promise<PromotionState> => {
      if (!code) return { status: "none" };
      try {
        return { status: "offered", promotion: await api<Promotion>(serverPaths.promotion(code), { signal }) };
      } catch (error) {
        const isRefusal = error instanceof ApiError && error.key.startsWith("error_promotion");
        if (!isRefusal) return { status: "unknown" };
        return { status: "refused", reason: error.key, isFinal: error.key !== "error_promotion_unknown" };
      }
    },
    [code],
  );
  const call = useCall(load);
  if (!code) return { status: "none" };
  return call.status === "done" ? call.answer : { status: "loading" };
}
