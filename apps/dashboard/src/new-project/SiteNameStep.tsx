import { type Category, isSiteName, normalizeSiteName, siteNameRules } from "@nido/contract";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { useSettings } from "../state/store.ts";
import { NameSuggestions } from "./NameSuggestions.tsx";
import { NamingStep, type Rule } from "./NamingStep.tsx";
import { Summary } from "./Summary.tsx";
import { useTyped } from "./typed.ts";
import { type Availability, useAvailability } from "./useAvailability.ts";
import { useCheckoutDraft } from "./useCheckoutDraft.ts";
import { useResumeNotice } from "./useResumeNotice.ts";

/** Asks for the site's name: the first naming step of both categories. */
export function SiteNameStep({ step, category }: { step?: string; category: Category }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const draft = useCheckoutDraft();
  const { sites_domain: domain } = useSettings();
  const [name, setName] = useTyped("domain", draft.domain, normalizeSiteName);
  const availability = useAvailability(name);
  const field = useRef<HTMLInputElement>(null);
  const notice = useResumeNotice(draft);

  const chosen = draft.with({ category, domain: name }).without("taken", "cancelled", "expired");
  // The username is asked even if it is known: it is the step on which a WordPress purchase ends.
  const next = category === "wordpress" ? "wpUsername" : chosen.nextStep;

  function choose(suggestion: string) {
    setName(suggestion);
    field.current?.focus(); // the suggestions vanish
  }

  return (
    <NamingStep
      step={step}
      back={draft.pathTo("newProject")}
      title={t("newProject.nameTitle")}
      intro={t("newProject.nameIntro")}
      label={t("newProject.nameLabel")}
      suffix={`.${domain}`}
      error={draft.isNameTaken ? t("newProject.nameTaken") : undefined}
      notice={notice}
      field={field}
      value={name}
      onType={setName}
      rules={[
        { id: "length", text: t("newProject.ruleLength"), verdict: siteNameRules.longEnough(name) ? "met" : "unmet" },
        {
          id: "characters",
          text: t("newProject.ruleCharacters"),
          verdict: siteNameRules.plainCharacters(name) ? "met" : "unmet",
        },
        { id: "free", text: t(`newProject.${texts[availability]}`), verdict: verdicts[availability] },
      ]}
      suggestions={availability === "taken" && <NameSuggestions name={name} onChoose={choose} />}
      onContinue={() => navigate(chosen.pathTo(next))}
      summary={<Summary draft={isSiteName(name) ? chosen : chosen.without("domain")} />}
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
  unchecked: "open",
  checking: "pending",
  available: "met",
  taken: "unmet",
  failed: "pending",
};
