import { Check } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useAnnouncement } from "../state/announcement.ts";
import { useIsConnectionLost } from "../state/store.ts";

/** At the bottom of every screen: what has just succeeded, and that the connection is lost. */
export function Notices() {
  const { t } = useTranslation();
  const isLost = useIsConnectionLost();
  const announcement = useAnnouncement();
  return (
    <div
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 bottom-4 z-40 flex flex-col items-center gap-2 px-4"
    >
      {announcement && (
        <p className={`${look} flex items-center gap-2`}>
          <Check className="size-4" aria-hidden="true" />
          {announcement.text}
        </p>
      )}
      {isLost && <p className={look}>{t("connection.unreachable")}</p>}
    </div>
  );
}

const look = "rounded-control bg-ink px-4 py-2 text-small text-background shadow-lg animate-fade";
