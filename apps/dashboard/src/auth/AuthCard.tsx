import type { ReactNode } from "react";
import { Card } from "../ui/Card.tsx";

interface Props {
  title: string;
  intro?: string;
  children?: ReactNode;
}

/** The card in the middle of the screens that work without a session. */
export function AuthCard({ title, intro, children }: Props) {
  return (
    <div className="mx-auto flex w-full max-w-[440px] flex-1 flex-col px-[18px] pt-4 pb-16 sm:pt-[9dvh]">
      <title>{title}</title>
      <Card className="p-6 sm:p-8">
        <h1 className="text-[1.5rem] leading-tight font-[680] tracking-[-0.022em]">{title}</h1>
        {intro && <p className="mt-1.5 break-words text-ink-2">{intro}</p>}
        <div className="mt-6">{children}</div>
      </Card>
    </div>
  );
}
