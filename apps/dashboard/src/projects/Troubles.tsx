import type { Project } from "@nido/contract";
import { TriangleAlert } from "lucide-react";
import { Link } from "react-router";
import { useTroubles } from "./useTroubles.ts";

/** What the owner should know, each with a link to where it is mended. */
export function Troubles({ project }: { project: Project }) {
  return useTroubles(project).map(({ id, text, to = "", href, action, isUrgent }) => {
    const className = `mb-3 flex items-start gap-2 text-small hover:underline ${isUrgent ? "text-red" : "text-ink-2"}`;
    const content = (
      <>
        <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
        <span className="min-w-0 break-words">
          {text} {action && <span className="font-[560] underline">{action}</span>}
        </span>
      </>
    );
    return href ? (
      <a key={id} href={href} target="_blank" rel="noreferrer" className={className}>
        {content}
      </a>
    ) : (
      <Link key={id} to={to} className={className}>
        {content}
      </Link>
    );
  });
}
