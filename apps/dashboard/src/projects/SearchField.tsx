import { Search } from "lucide-react";

export function SearchField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange(text: string): void;
}) {
  return (
    <div className="relative max-w-[360px]">
      <Search className="absolute top-3 left-3 size-4 text-ink-3" aria-hidden="true" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        maxLength={100}
        className="h-10 w-full rounded-control border border-line-strong bg-surface pr-3 pl-10 placeholder:text-ink-3 focus:border-focus focus:ring-3 focus:ring-focus/20 focus:outline-none"
      />
    </div>
  );
}
