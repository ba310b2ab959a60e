import { normalizeUsername, usernameRules } from "@nido/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { NamingStep } from "./NamingStep.tsx";
import { useCheckoutDraft } from "./useCheckoutDraft.ts";

export function WpUsernameScreen() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const draft = useCheckoutDraft();
  const [username, setUsername] = useState(normalizeUsername(draft.username ?? ""));
  const rule = (id: keyof typeof usernameRules, text: string) => {
    return { id, text, verdict: usernameRules[id](username) ? ("met" as const) : ("unmet" as const) };
  };

  function goOn() {
    navigate(draft.with({ username }).without("cancelled").pathTo("purchase"));
  }

  return (
    <NamingStep
      step={t("newProject.step", { step: 2 })}
      back={draft.pathTo("wpName")}
      title={t("newProject.usernameTitle")}
      intro={t("newProject.usernameIntro")}
      label={t("newProject.usernameLabel")}
      notice={draft.isCancelled ? t("newProject.cancelled") : undefined}
      value={username}
      onType={(typed) => setUsername(normalizeUsername(typed))}
      rules={[
        rule("longEnough", t("newProject.ruleUsernameLength")),
        rule("plainCharacters", t("newProject.ruleUsernameCharacters")),
        rule("notAdmin", t("newProject.ruleUsernameAdmin")),
      ]}
      onContinue={goOn}
    />
  );
}
