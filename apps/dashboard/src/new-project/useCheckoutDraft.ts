import { useMemo } from "react";
import { useSearchParams } from "react-router";
import { CheckoutDraft } from "./CheckoutDraft.ts";

/** The draft in the current address; the same object until the query string changes. */
export function useCheckoutDraft(): CheckoutDraft {
  const [query] = useSearchParams();
  return useMemo(() => new CheckoutDraft(query), [query]);
}
