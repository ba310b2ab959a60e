import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Card } from "./Card.tsx";

interface Props {
  icon: LucideIcon;
  title: string;
  children: ReactNode;
  action?: ReactNode;
}

/** Shown in place of an empty list: what it will contain and how to add the first entry. */
export function EmptyState({ icon: Icon, title, children, action }: Props) {
  return (
    <Card className="px-6 py-14 text-center">
      <span className="mx-auto mb-4 grid size-11 place-items-center rounded-[12px] bg-brand-soft text-brand">
        <Icon className="size-5" aria-hidden="true" />
      </span>
      <h2 className="text-section font-[640]">{title}</h2>
      <p className="mx-auto mt-1 mb-5 max-w-[46ch] text-ink-2">{children}</p>
      {action}
    </Card>
  );
}
