const looks = { good: "bg-green", waiting: "bg-ink-3 motion-safe:animate-pulse", bad: "bg-red", over: "bg-ink-3" };
export type DotState = keyof typeof looks;

/** A state in words, with a coloured dot. */
export function StatusDot({ state, children }: { state: DotState; children: string }) {
  return (
    <span className="inline-flex min-w-0 items-center gap-2 text-[0.84375rem] font-[560]">
      <span className={`size-2 shrink-0 rounded-full ${looks[state]}`} aria-hidden="true" />
      <span className="min-w-0 break-words">{children}</span>
    </span>
  );
}
