import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";

interface Props {
  title: string;
  intro?: string;
  /** the screen's one main action */
  action?: ReactNode;
  back?: { to: string; label: string };
  children?: ReactNode;
}

/** A screen of the dashboard: back link, title, main action, content. */
export function Page({ title, intro, action, back, children }: Props) {
  return (
    <>
      <title>{title}</title>
      <header className="mb-7 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          {back && (
            <Link to={back.to} className="mb-3 inline-flex items-center gap-2 text-small text-ink-3 hover:text-ink">
              <ArrowLeft className="size-4" aria-hidden="true" />
              {back.label}
            </Link>
          )}
          <h1 className="text-[1.5rem] leading-[1.2] sm:text-title font-[680] tracking-[-0.022em]">{title}</h1>
          {intro && <p className="mt-2 text-ink-2">{intro}</p>}
        </div>
        {action}
      </header>
      {children}
    </>
  );
}
