import { useTranslation } from "react-i18next";
import { formatShortDate } from "../i18n/format.ts";
import { currentLanguage } from "../i18n/language.ts";
import { Card } from "../ui/Card.tsx";

const entries = [
  { date: "2025-10-30", key: "darkMode" },
  { date: "2025-01-17", key: "projectDomains" },
  { date: "2025-01-13", key: "userSettings" },
  { date: "2025-01-05", key: "wordpress" },
] as const;

export function NewsCard() {
  const { t } = useTranslation();
  return (
    <Card className="p-5">
      <h2 className="mb-2 text-section font-[640]">{t("news.title")}</h2>
      <ul className="divide-y divide-line">
        {entries.map(({ date, key }) => (
          <li key={key} className="flex flex-col gap-x-4 py-3 sm:flex-row">
            <time dateTime={date} className="w-[110px] shrink-0 text-small leading-[1.7] text-ink-3">
              {formatShortDate(date, currentLanguage())}
            </time>
            <div>
              <h3 className="font-[600]">{t(`news.${key}`)}</h3>
              <p className="text-small text-ink-2">{t(`news.${key}Text`)}</p>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
