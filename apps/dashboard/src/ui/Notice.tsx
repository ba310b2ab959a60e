import { Info } from "lucide-react";
import type { ReactNode } from "react";

/** A neutral message. */
export function Notice({ children }: { children: ReactNode }) {
  return (
    <div role="status" className="flex gap-2.5 rounded-control bg-sunken px-3.5 py-2.5 text-small text-ink-2">
      <Info className="mt-0.5 size-4 shrink-0 text-ink-3" aria-hidden="true" />
      <div>{children}</div>
    </div>
  );
}
