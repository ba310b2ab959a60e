import { CircleCheck, CircleX } from "lucide-react";

interface Props {
  met: boolean;
  /** what a screen reader hears for the tick or the cross */
  verdict: string;
  children: string;
}

/** One rule of a naming step and whether it holds. */
export function RuleLine({ met, verdict, children }: Props) {
  const Icon = met ? CircleCheck : CircleX;
  return (
    <li className="flex items-center gap-2.5 py-1 text-ink-2">
      <Icon className={`size-[18px] shrink-0 ${met ? "text-green" : "text-red"}`} aria-label={verdict} role="img" />
      {children}
    </li>
  );
}
