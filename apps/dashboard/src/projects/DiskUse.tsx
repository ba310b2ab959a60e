import type { Project } from "@nido/contract";
import { useTranslation } from "react-i18next";
import { formatBytes } from "../i18n/bytes.ts";
import { currentLanguage } from "../i18n/language.ts";

/** Used and allowed disk space. Warns above 90 %. */
export function DiskUse({ disk: { used, allowed } }: Pick<Project, "disk">) {
  const { t } = useTranslation();
  const lang = currentLanguage();
  const sizes = { used: formatBytes(used, lang), allowed: formatBytes(allowed, lang) };
  return (
    <div className="w-[260px] max-w-full">
      <p>{t("project.diskUse", sizes)}</p>
      <meter className="sr-only" aria-label={t("project.disk")} value={used} max={allowed} />
      <div aria-hidden="true" className="mt-1.5 h-1.5 overflow-hidden rounded-full bg-sunken">
        <div
          className={`h-full rounded-full ${used > allowed * 0.9 ? "bg-red" : "bg-brand"}`}
          style={{ width: `${Math.min((used / allowed) * 100, 100)}%` }}
        />
      </div>
      {used > allowed * 0.9 && <p className="mt-1 text-small text-red">{t("project.diskFull")}</p>}
    </div>
  );
}
