import { ArrowUpRight, Megaphone } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useSettings } from "../state/store.ts";
import { Card } from "../ui/Card.tsx";

export function AnnouncementCard() {
  const { t } = useTranslation();
  const { blog_url: blog } = useSettings();
  return (
    <Card className="p-5">
      <section aria-label={t("announcement.label")}>
        <div className="mb-3 flex items-center gap-3">
          <span className="grid size-11 place-items-center rounded-[12px] bg-brand-soft text-brand">
            <Megaphone className="size-5" aria-hidden="true" />
          </span>
          <h2 className="text-section font-[640]">{t("announcement.title")}</h2>
        </div>
        <p className="text-ink-2">{t("announcement.text")}</p>
        <a
          href={blog}
          target="_blank"
          rel="noreferrer"
          className="mt-3 inline-flex items-center gap-1.5 font-[600] text-brand hover:underline"
        >
          {t("announcement.link")}
          <ArrowUpRight className="size-4" aria-hidden="true" />
        </a>
      </section>
    </Card>
  );
}
