import { TriangleAlert } from "lucide-react";
import { Link } from "react-router";
import type { Trouble } from "./useTroubles.ts";

/** One thing that the owner should know. `of` names the project where that is not clear. */
export function TroubleLine({ text, to = "", href, action, isUrgent, of }: Trouble & { of?: string }) {
  const className = `mb-3 flex items-start gap-2 text-small hover:underline ${isUrgent ? "text-red" : "text-ink-2"}`;
  const content = (
    <>
      <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
      <span className="min-w-0 break-words">
        {of && <strong className="font-[560]">{of}: </strong>}
        {text} {action && <span className="font-[560] underline">{action}</span>}
      </span>
    </>
  );
  return href ? (
    <a href={href} target="_blank" rel="noreferrer" className={className}>
      {content}
    </a>
  ) : (
    <Link to={to} className={className}>
      {content}
    </Link>
  );
}
