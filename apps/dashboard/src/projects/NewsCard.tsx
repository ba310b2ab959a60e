import { ChevronDown } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatShortDate } from "../i18n/format.ts";
import { currentLanguage } from "../i18n/language.ts";
import { useSettings } from "../state/store.ts";
import { Card } from "../ui/Card.tsx";

const storageKey = "newsRead";

/** What's new. Once it has been shown, it stays folded until there is something newer. */
export function NewsCard() {
  const { t } = useTranslation();
  const { news } = useSettings();
  const newest = news[0]?.date ?? "";
  const [isFolded] = useState(() => newest <= (localStorage.getItem(storageKey) ?? ""));
  useEffect(() => localStorage.setItem(storageKey, newest), [newest]);
  if (news.length === 0) return null;
  const lang = currentLanguage();
  return (
    <Card>
      <details open={!isFolded} className="group">
        <summary className="flex cursor-pointer list-none items-center justify-between rounded-card p-5 [&::-webkit-details-marker]:hidden">
          <h2 className="text-section font-[640]">{t("news.title")}</h2>
          <ChevronDown className="size-4 text-ink-3 group-open:rotate-180" aria-hidden="true" />
        </summary>
        <ul className="divide-y divide-line px-5 pb-2">
          {news.map(({ date, title, text }) => (
            <li key={date + title.en} className="flex flex-col gap-x-4 py-3 sm:flex-row">
              <time dateTime={date} className="w-[110px] shrink-0 text-small leading-[1.7] text-ink-3">
                {formatShortDate(date, lang)}
              </time>
              <div>
                <h3 className="font-[600]">{title[lang]}</h3>
                <p className="text-small text-ink-2">{text[lang]}</p>
              </div>
            </li>
          ))}
        </ul>
      </details>
    </Card>
  );
}
