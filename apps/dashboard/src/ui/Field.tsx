import { CircleAlert } from "lucide-react";
import { type ComponentProps, useId } from "react";

interface Props extends ComponentProps<"input"> {
  label: string;
  error?: string | undefined;
  hint?: string | undefined;
  /** the one field of a wizard step */
  large?: boolean;
  /** text after the input, such as a domain */
  suffix?: string;
}

const control =
  "w-full rounded-control border border-line-strong bg-surface text-ink transition-colors duration-150 " +
  "focus-within:border-focus focus-within:ring-3 focus-within:ring-focus/20 " +
  "data-invalid:border-red data-invalid:focus-within:ring-red/20";

/** A labelled input with its hint and its error, associated for screen readers. */
export function Field({ label, error, hint, large = false, suffix, ...input }: Props) {
  const id = useId();
  const note = error || hint ? `${id}-note` : undefined;
  const describedBy = [note, input["aria-describedby"]].filter(Boolean).join(" ");
  return (
    <div>
      <label htmlFor={id} className="block mb-1.5 text-small font-[600]">
        {label}
      </label>
      <div
        className={`${control} flex items-center ${large ? "h-[52px] text-[1.125rem]" : "h-10"}`}
        data-invalid={error ? true : undefined}
      >
        <input
          {...input}
          id={id}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy || undefined}
          className="h-full min-w-0 flex-1 rounded-control bg-transparent px-3 outline-none placeholder:text-ink-3"
        />
        {suffix && <span className="shrink-0 pr-4 text-body text-ink-3">{suffix}</span>}
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
        data-invalid={error ? true : undefined}
        className={`${control} h-10 px-2 outline-none`}
      >
        {children}
      </select>
      <Note id={note} error={error} hint={undefined} />
    </div>
  );
}

/** Its row is there without a text, too: nothing moves when an error appears. */
function Note({ id, error, hint }: { id: string | undefined; error: string | undefined; hint: string | undefined }) {
  return (
    <p
      id={id}
      role={error ? "alert" : undefined}
      className={`mt-1 flex min-h-[1lh] gap-1.5 text-small ${error ? "text-red" : "text-ink-3"}`}
    >
      {error && <CircleAlert className="size-4 mt-0.5 shrink-0" aria-hidden="true" />}
      <span>{error ?? hint}</span>
    </p>
  );
}
