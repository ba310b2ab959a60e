import { CircleAlert } from "lucide-react";
import { type ComponentProps, useId } from "react";

interface Props extends ComponentProps<"input"> {
  label: string;
  error?: string | undefined;
  hint?: string | undefined;
  /** the one field of a wizard step */
  large?: boolean;
  /** what follows the text inside the field, such as a domain */
  suffix?: string;
}

const control =
  "w-full rounded-control border bg-surface text-ink placeholder:text-ink-3 transition-colors duration-150 " +
  "focus:outline-none focus:border-brand focus:ring-3 focus:ring-brand/20 aria-invalid:border-red aria-invalid:focus:ring-red/20";

/** A labelled input with its hint and its error, tied together for screen readers. */
export function Field({ label, error, hint, large = false, suffix, ...input }: Props) {
  const id = useId();
  const note = error || hint ? `${id}-note` : undefined;
  return (
    <div>
      <label htmlFor={id} className="block mb-1.5 text-small font-[600]">
        {label}
      </label>
      <div className="relative">
        <input
          {...input}
          id={id}
          aria-invalid={error ? true : undefined}
          aria-describedby={note}
          className={`${control} border-line-strong ${large ? "h-[52px] px-3 text-[18px]" : "h-10 px-3"}`}
        />
        {suffix && (
          <span className="absolute inset-y-0 right-4 flex items-center text-ink-3 pointer-events-none">{suffix}</span>
        )}
      </div>
      <Note id={note} error={error} hint={hint} />
    </div>
  );
}

interface SelectProps extends ComponentProps<"select"> {
  label: string;
  error?: string | undefined;
}

export function SelectField({ label, error, children, ...select }: SelectProps) {
  const id = useId();
  const note = error ? `${id}-note` : undefined;
  return (
    <div>
      <label htmlFor={id} className="block mb-1.5 text-small font-[600]">
        {label}
      </label>
      <select
        {...select}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={note}
        className={`${control} border-line-strong h-10 px-2`}
      >
        {children}
      </select>
      <Note id={note} error={error} hint={undefined} />
    </div>
  );
}

function Note({ id, error, hint }: { id: string | undefined; error: string | undefined; hint: string | undefined }) {
  if (!error && !hint) return null;
  return (
    <p id={id} className={`mt-1.5 flex gap-1.5 text-small ${error ? "text-red" : "text-ink-3"}`}>
      {error && <CircleAlert className="size-4 mt-0.5 shrink-0" aria-hidden="true" />}
      <span>{error ?? hint}</span>
    </p>
  );
}
