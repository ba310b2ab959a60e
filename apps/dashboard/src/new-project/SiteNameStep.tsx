import { type Category, normalizeSiteName, siteNameRules } from "@nido/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate, useSearchParams } from "react-router";
import { paths } from "../paths.ts";
import { useSettings } from "../state/store.ts";
import { NamingStep, type Rule } from "./NamingStep.tsx";
import { type Availability, useAvailability } from "./useAvailability.ts";

/** The site's name, which both kinds of project begin with. */
export function SiteNameStep({ step, category, next }: { step?: string; category: Category; next: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const { sites_domain: domain } = useSettings();
  const [name, setName] = useState(normalizeSiteName(query.get("domain") ?? ""));
  const availability = useAvailability(name);

  function goOn() {
    const params = new URLSearchParams(query);
    params.set("category", category);
    params.set("domain", name);
    params.delete("taken");
    params.delete("cancelled");
    navigate(`${next}?${params}`);
  }

  return (
    <NamingStep
      step={step}
      back={`${paths.newProject}?${query}`}
      title={t("newProject.nameTitle")}
      intro={t("newProject.nameIntro")}
      label={t("newProject.nameLabel")}
      suffix={`.${domain}`}
      error={query.has("taken") ? t("newProject.nameTaken") : undefined}
      notice={query.has("cancelled") ? t("newProject.cancelled") : undefined}
      value={name}
      onType={(typed) => setName(normalizeSiteName(typed))}
      rules={[
        { id: "length", text: t("newProject.ruleLength"), verdict: siteNameRules.longEnough(name) ? "met" : "unmet" },
        {
          id: "characters",
          text: t("newProject.ruleCharacters"),
          verdict: siteNameRules.plainCharacters(name) ? "met" : "unmet",
        },
        { id: "free", text: t(`newProject.${texts[availability]}`), verdict: verdicts[availability] },
      ]}
      onContinue={goOn}
    />
  );
}

const texts = {
  unchecked: "ruleUnchecked",
  checking: "ruleChecking",
  available: "ruleFree",
  taken: "ruleTaken",
  failed: "ruleFailed",
} as const satisfies Record<Availability, string>;

const verdicts: Record<Availability, Rule["verdict"]> = {
  unchecked: "unmet",
  checking: "pending",
  available: "met",
  taken: "unmet",
  failed: "pending",
};
