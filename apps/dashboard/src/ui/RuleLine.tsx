import { Circle, CircleCheck, CircleX, LoaderCircle } from "lucide-react";

/** `open`: nothing is typed yet. */
export type Verdict = "open" | "met" | "unmet" | "pending";

interface Props {
  verdict: Verdict;
  /** the accessible name of the tick, the cross or the spinner */
  label: string;
  children: string;
}

const looks = {
  open: { icon: Circle, className: "text-ink-3" },
  met: { icon: CircleCheck, className: "text-green" },
  unmet: { icon: CircleX, className: "text-red" },
  pending: { icon: LoaderCircle, className: "text-ink-3 animate-spin" },
};

/** One rule of a naming step and its verdict. */
export function RuleLine({ verdict, label, children }: Props) {
  const { icon: Icon, className } = looks[verdict];
  return (
    <li className="flex items-center gap-2.5 py-1 text-ink-2">
      <Icon className={`size-[18px] shrink-0 ${className}`} aria-label={label} role="img" />
      {children}
    </li>
  );
}
