import { normalizeSiteName, siteNameMaxLength, siteNameRules } from "@nido/contract";
import { useTranslation } from "react-i18next";
import { useNavigate, useSearchParams } from "react-router";
import { useSettings } from "../app/store.ts";
import { NamingStep } from "./NamingStep.tsx";

/** The site's name, which both kinds of project begin with. */
export function SiteNameStep({ step, next }: { step?: string; next: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const { sites_domain: domain } = useSettings();
  return (
    <NamingStep
      step={step}
      title={t("newProject.nameTitle")}
      intro={t("newProject.nameIntro")}
      label={t("newProject.nameLabel")}
      suffix={`.${domain}`}
      initial={query.get("domain") ?? ""}
      maxLength={siteNameMaxLength}
      normalize={normalizeSiteName}
      rules={[
        { text: t("newProject.ruleLength"), holds: siteNameRules.longEnough },
        { text: t("newProject.ruleCharacters"), holds: siteNameRules.plainCharacters },
      ]}
      onContinue={(name) => {
        query.set("domain", name);
        navigate(`${next}?${query}`);
      }}
    />
  );
}
