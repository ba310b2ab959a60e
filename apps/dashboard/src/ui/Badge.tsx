export type Tone = "green" | "blue" | "purple" | "red" | "neutral";

const tones: Record<Tone, string> = {
  green: "bg-green-soft text-green",
  blue: "bg-blue-soft text-blue",
  purple: "bg-purple-soft text-purple",
  red: "bg-red-soft text-red",
  neutral: "bg-sunken text-ink-2",
};

export function toneClasses(tone: Tone): string {
  return tones[tone];
}

export function Badge({ tone, children }: { tone: Tone; children: string }) {
  return <span className={`rounded-full px-2.5 py-0.5 text-[0.8125rem] font-[600] ${tones[tone]}`}>{children}</span>;
}
