import type { ReactNode } from "react";
import { Card } from "./Card.tsx";

/** A titled group of labelled values. */
export function Rows({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mb-9">
      <h2 className="mb-3 text-section font-[640]">{title}</h2>
      <Card>
        <dl className="divide-y divide-line">{children}</dl>
      </Card>
    </section>
  );
}

export function Row({ label, children, action }: { label: string; children: ReactNode; action?: ReactNode }) {
  return (
    <div className="flex min-h-[54px] flex-wrap items-center gap-x-4 gap-y-1 px-5 py-2.5">
      <dt className="w-full text-ink-2 sm:w-[210px]">{label}</dt>
      <dd className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-[150px] font-[560] break-words">{children}</div>
        {action && <div className="ml-auto shrink-0">{action}</div>}
      </dd>
    </div>
  );
}
