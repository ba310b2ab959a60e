import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";

/** An error message. Screen readers announce it at once. */
export function ErrorBox({ children }: { children: ReactNode }) {
  return (
    <div role="alert" className="flex gap-2.5 rounded-control bg-red-soft text-red px-3.5 py-2.5 text-small">
      <CircleAlert className="size-4 mt-0.5 shrink-0" aria-hidden="true" />
      <div>{children}</div>
    </div>
  );
}
