import { useId } from "react";

interface Props {
  label: string;
  hint?: string;
  error?: string | undefined;
  value: string;
  placeholder?: string;
  onChange(value: string): void;
}

/** A labelled text of several lines, such as paths. */
export function LinesField({ label, hint, error, value, placeholder, onChange }: Props) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="block text-small font-[600]">
        {label}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="mt-1 max-w-[75ch] text-small text-ink-3">
          {hint}
        </p>
      )}
      <textarea
        id={id}
        aria-describedby={[hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ") || undefined}
        aria-invalid={error ? true : undefined}
        rows={Math.min(12, Math.max(3, value.split("\n").length + 1))}
        value={value}
        placeholder={placeholder}
        onChange={({ target }) => onChange(target.value)}
        autoCapitalize="off"
        spellCheck={false}
        className="mt-2 w-full rounded-control border border-line-strong bg-surface px-3 py-2 font-mono text-[0.8125rem] whitespace-pre outline-none placeholder:text-ink-3 focus:border-focus focus:ring-3 focus:ring-focus/20"
      />
      {error && (
        <p id={`${id}-error`} role="alert" className="mt-2 text-small break-words text-red">
          {error}
        </p>
      )}
    </div>
  );
}

/** The lines that are not empty. */
export function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
}
