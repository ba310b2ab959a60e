import { useId } from "react";

interface Props {
  label: string;
  hint?: string;
  isOn: boolean;
  isBusy: boolean;
  onChange(isOn: boolean): void;
}

/** Something that is on or off, which the server is asked to change. */
export function Choice({ label, hint, isOn, isBusy, onChange }: Props) {
  const id = useId();
  return (
    <div className="flex items-start gap-3 px-5 py-3">
      <input
        id={id}
        type="checkbox"
        className="mt-1 size-4 shrink-0 accent-brand"
        checked={isOn}
        aria-disabled={isBusy}
        aria-busy={isBusy}
        aria-describedby={hint && `${id}-hint`}
        onChange={({ target }) => !isBusy && onChange(target.checked)}
      />
      <div>
        <label htmlFor={id} className="font-[560]">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="mt-0.5 max-w-[65ch] text-small text-ink-3">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
