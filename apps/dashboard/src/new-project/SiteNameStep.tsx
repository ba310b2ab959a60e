import { type Category, normalizeSiteName, siteNameRules } from "@nido/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { useSettings } from "../state/store.ts";
import type { WizardStep } from "./CheckoutDraft.ts";
import { NamingStep, type Rule } from "./NamingStep.tsx";
import { type Availability, useAvailability } from "./useAvailability.ts";
import { useCheckoutDraft } from "./useCheckoutDraft.ts";

/** Asks for the site's name: the first naming step of both categories. */
export function SiteNameStep({ step, category, next }: { step?: string; category: Category; next: WizardStep }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const draft = useCheckoutDraft();
  const { sites_domain: domain } = useSettings();
  const [name, setName] = useState(normalizeSiteName(draft.domain ?? ""));
  const availability = useAvailability(name);

  function goOn() {
    navigate(draft.with({ category, domain: name }).without("taken", "cancelled").pathTo(next));
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
      notice={draft.isCancelled ? t("newProject.cancelled") : undefined}
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
