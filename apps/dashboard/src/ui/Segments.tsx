import type { LucideIcon } from "lucide-react";
import { useId } from "react";

interface Props<Value extends string> {
  label: string;
  value: Value;
  options: { value: Value; label: string; icon?: LucideIcon }[];
  onChange(value: Value): void;
}

/** A few options side by side: radio buttons that look like a switch. */
export function Segments<Value extends string>({ label, value, options, onChange }: Props<Value>) {
  const name = useId();
  return (
    <fieldset className="inline-flex max-w-full rounded-control bg-sunken p-1">
      <legend className="sr-only">{label}</legend>
      {options.map(({ value: option, label: text, icon: Icon }) => (
        <label
          key={option}
          className="flex h-8 min-w-0 cursor-pointer items-center gap-1.5 rounded-[7px] px-2.5 text-small font-[560] text-ink-2 has-checked:bg-raised has-checked:text-ink has-checked:shadow-sm has-focus-visible:outline-2 has-focus-visible:outline-focus"
        >
          <input
            type="radio"
            name={name}
            value={option}
            checked={option === value}
            onChange={() => onChange(option)}
            className="sr-only"
          />
          {Icon && <Icon className="size-4 shrink-0 max-sm:hidden" aria-hidden="true" />}
          {text}
        </label>
      ))}
    </fieldset>
  );
}
