import type { ReactNode } from "react";

/** A line between two ways to do the same. */
export function Or({ children }: { children: ReactNode }) {
  return (
    <p className="my-5 flex items-center gap-3 text-small text-ink-3 before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      {children}
    </p>
  );
}
