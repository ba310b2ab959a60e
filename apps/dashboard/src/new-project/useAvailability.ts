import { isSiteName } from "@nido/contract";
import { useEffect, useState } from "react";
import { ApiError, api } from "../api/api.ts";
import { serverPaths } from "../paths.ts";

export type Availability = "unchecked" | "checking" | "available" | "taken" | "failed";

const typingPause = 1000;

/** Whether a name is free, asked a second after the last key; answers for an older name are ignored. */
export function useAvailability(name: string): Availability {
  const [checked, setChecked] = useState<{ name: string; result: "available" | "taken" | "failed" }>();
  const isWorthAsking = isSiteName(name);
  const isAnswered = checked?.name === name && checked.result !== "failed";

  useEffect(() => {
    if (!isWorthAsking || isAnswered) return;
    const controller = new AbortController();
    let timer = setTimeout(check, typingPause);
    async function check() {
      const result = await ask(name, controller.signal);
      if (controller.signal.aborted) return;
      setChecked({ name, result });
      if (result === "failed") timer = setTimeout(check, typingPause);
    }
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [name, isWorthAsking, isAnswered]);

  if (!isWorthAsking) return "unchecked";
  return checked?.name === name ? checked.result : "checking";
}

async function ask(name: string, signal: AbortSignal) {
  try {
    await api(serverPaths.domain(name), { signal });
    return "available";
  } catch (error) {
    return error instanceof ApiError && error.status === 409 ? "taken" : "failed";
  }
}
