import { isSiteName } from "@nido/contract";
import { useEffect, useState } from "react";
import { ApiError, api } from "../api/api.ts";
import { serverPaths } from "../paths.ts";

export type Availability = "unchecked" | "checking" | "available" | "taken" | "failed";

const debounceMs = 1000;

/** Checks whether a name is free, debounced by a second. Answers for an older name are ignored. */
export function useAvailability(name: string): Availability {
  const [checked, setChecked] = useState<{ name: string; result: "available" | "taken" | "failed" }>();
  const isWellFormed = isSiteName(name);
  const isChecked = checked?.name === name && checked.result !== "failed";

  useEffect(() => {
    if (!isWellFormed || isChecked) return;
    const controller = new AbortController();
    let timer = setTimeout(check, debounceMs);
    async function check() {
      const result = await fetchAvailability(name, controller.signal);
      if (controller.signal.aborted) return;
      setChecked({ name, result });
      if (result === "failed") timer = setTimeout(check, debounceMs);
    }
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [name, isWellFormed, isChecked]);

  if (!isWellFormed) return "unchecked";
  return checked?.name === name ? checked.result : "checking";
}

export async function fetchAvailability(name: string, signal: AbortSignal) {
  try {
    await api(serverPaths.domain(name), { signal });
    return "available";
  } catch (error) {
    return error instanceof ApiError && error.status === 409 ? "taken" : "failed";
  }
}
