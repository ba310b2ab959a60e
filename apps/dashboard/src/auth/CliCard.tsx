import type { ReactNode } from "react";
import { Card } from "../ui/Card.tsx";

/** The frame of the CLI's login pages. */
export function CliCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="mx-auto flex w-full max-w-[440px] flex-1 flex-col justify-center px-[18px] pt-4 pb-16">
      <title>{title}</title>
      <Card className="p-6 sm:p-8">
        <h1 className="text-[1.5rem] leading-tight font-[680] tracking-[-0.022em]">{title}</h1>
        {children}
      </Card>
    </div>
  );
}
