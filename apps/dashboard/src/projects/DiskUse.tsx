import type { Project } from "@nido/contract";
import { useTranslation } from "react-i18next";
import { formatBytes } from "../i18n/bytes.ts";
import { currentLanguage } from "../i18n/language.ts";

/** How much of the plan's space the site has used. */
export function DiskUse({ disk: { used, allowed } }: Pick<Project, "disk">) {
  const { t } = useTranslation();
  const lang = currentLanguage();
  const sizes = { used: formatBytes(used, lang), allowed: formatBytes(allowed, lang) };
  return (
    <div className="w-[260px] max-w-full">
      <p>{t("projects.diskUse", sizes)}</p>
      <meter
        aria-label={t("projects.disk")}
        value={used}
        max={allowed}
        high={allowed * 0.9}
        className="mt-1.5 block h-1.5 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-meter-bar]:bg-brand [&::-webkit-meter-bar]:h-1.5 [&::-webkit-meter-bar]:rounded-full [&::-webkit-meter-bar]:border-0 [&::-webkit-meter-bar]:bg-sunken [&::-webkit-meter-optimum-value]:bg-brand [&::-webkit-meter-suboptimum-value]:bg-red"
      />
      {used > allowed * 0.9 && <p className="mt-1 text-small text-red">{t("projects.diskFull")}</p>}
    </div>
  );
}
