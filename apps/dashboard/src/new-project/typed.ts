import { useState } from "react";
import { forgetInvitation } from "./invitation.ts";

type Name = "domain" | "username";

/** Remembered for the tab: the browser's Back, a reload, the sign-in and the payment page lose nothing that was typed. */
const keyOf = (name: Name) => `wizard.${name}`;

/** A field of the wizard. What the address says goes before what was typed earlier. */
export function useTyped(name: Name, chosen: string | undefined, normalize: (typed: string) => string) {
  const [value, setValue] = useState(() => normalize(chosen ?? sessionStorage.getItem(keyOf(name)) ?? ""));
  function type(typed: string) {
    const next = normalize(typed);
    sessionStorage.setItem(keyOf(name), next);
    setValue(next);
  }
  return [value, type] as const;
}

/** After a purchase, the next one begins with empty fields, and the invitation has been used. */
export function forgetTyped() {
  forgetInvitation();
  for (const name of ["domain", "username"] as const) sessionStorage.removeItem(keyOf(name));
}
