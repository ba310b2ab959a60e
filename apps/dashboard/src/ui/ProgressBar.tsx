interface Props {
  label: string;
  /** 0 to 100 */
  percent: number;
}

export function ProgressBar({ label, percent }: Props) {
  return (
    <div className="flex items-center gap-3">
      <progress
        aria-label={label}
        value={percent}
        max={100}
        className="h-2 flex-1 appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-brand [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-brand [&::-webkit-progress-value]:transition-[inline-size] [&::-webkit-progress-value]:duration-300"
      />
      <span className="w-12 text-right font-[600]">{percent} %</span>
    </div>
  );
}
