import { useTranslation } from "react-i18next";

/** Placeholder of the final size while content is loading. */
export function Skeleton({ count, className }: { count: number; className: string }) {
  const { t } = useTranslation();
  return (
    <div role="status" className="contents">
      <span className="sr-only">{t("common.loading")}</span>
      {Array.from({ length: count }, (_, index) => index).map((index) => (
        <div key={index} className={`rounded-card bg-sunken motion-safe:animate-pulse ${className}`} />
      ))}
    </div>
  );
}
