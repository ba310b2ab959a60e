import { normalizeUsername, usernameRules } from "@nido/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate, useSearchParams } from "react-router";
import { paths } from "../paths.ts";
import { NamingStep } from "./NamingStep.tsx";

export function WpUsernameScreen() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const [username, setUsername] = useState(normalizeUsername(query.get("username") ?? ""));
  const rule = (id: keyof typeof usernameRules, text: string) => {
    return { id, text, verdict: usernameRules[id](username) ? ("met" as const) : ("unmet" as const) };
  };

  function goOn() {
    const params = new URLSearchParams(query);
    params.set("username", username);
    params.delete("cancelled");
    navigate(`${paths.purchase}?${params}`);
  }

  return (
    <NamingStep
      step={t("newProject.step", { step: 2 })}
      back={`${paths.wpName}?${query}`}
      title={t("newProject.usernameTitle")}
      intro={t("newProject.usernameIntro")}
      label={t("newProject.usernameLabel")}
      notice={query.has("cancelled") ? t("newProject.cancelled") : undefined}
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
