interface Props {
  brand: string;
}

/** The mark and the brand name. CSS shows the mark of the current theme. */
export function Logo({ brand }: Props) {
  return (
    <span className="inline-flex items-center gap-3">
      <Mark className="only-light" egg="#c8532d" nest="#c8532d" lining="#e2a48e" />
      <Mark className="only-dark" egg="#ee8a62" nest="#ee8a62" lining="#7d4a35" />
      <span className="text-[1.25rem] font-[680] tracking-[-0.02em]">{brand}</span>
    </span>
  );
}

function Mark({ className, egg, nest, lining }: { className: string; egg: string; nest: string; lining: string }) {
  return (
    <svg className={className} width="26" height="26" viewBox="0 0 24 24" fill="none" aria-hidden="true">
      <ellipse cx="12" cy="6.6" rx="4" ry="5" fill={egg} />
      <path d="M1.7 10.5a10.3 10.3 0 0 0 20.6 0" stroke={nest} strokeWidth="2.6" strokeLinecap="round" />
      <path d="M6 11.2a6 6 0 0 0 12 0" stroke={lining} strokeWidth="2.2" strokeLinecap="round" />
    </svg>
  );
}
