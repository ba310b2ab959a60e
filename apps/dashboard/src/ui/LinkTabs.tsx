import { useEffect, useRef } from "react";
import { NavLink } from "react-router";

interface Props {
  label: string;
  tabs: { to: string; label: string; isCurrent: boolean }[];
}

/** Tabs as links: each has its own address, which can be shared and is part of the history. */
export function LinkTabs({ label, tabs }: Props) {
  const list = useRef<HTMLElement>(null);
  const current = tabs.find(({ isCurrent }) => isCurrent)?.to;
  // On a phone, the current tab may be outside the visible part of the list.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab has become the current one.
  useEffect(() => {
    list.current?.querySelector("[aria-current=page]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [current]);
  return (
    <nav ref={list} aria-label={label} className="mb-8 flex gap-6 overflow-x-auto border-b border-line">
      {tabs.map((tab) => (
        <NavLink
          key={tab.to}
          to={tab.to}
          aria-current={tab.isCurrent ? "page" : false}
          className={`-mb-px border-b-2 pb-2.5 font-[560] whitespace-nowrap focus-visible:-outline-offset-2 ${tab.isCurrent ? "border-ink text-ink" : "border-transparent text-ink-3 hover:text-ink"}`}
        >
          {tab.label}
        </NavLink>
      ))}
    </nav>
  );
}
