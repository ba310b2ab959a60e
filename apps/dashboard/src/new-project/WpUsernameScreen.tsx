import { normalizeUsername, usernameMaxLength, usernameRules } from "@nido/contract";
import { useTranslation } from "react-i18next";
import { useNavigate, useSearchParams } from "react-router";
import { paths } from "../app/paths.ts";
import { NamingStep } from "./NamingStep.tsx";

export function WpUsernameScreen() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [query] = useSearchParams();
  return (
    <NamingStep
      step={t("newProject.step", { step: 2 })}
      title={t("newProject.usernameTitle")}
      intro={t("newProject.usernameIntro")}
      label={t("newProject.usernameLabel")}
      initial={query.get("username") ?? ""}
      maxLength={usernameMaxLength}
      normalize={normalizeUsername}
      rules={[
        { text: t("newProject.ruleUsernameLength"), holds: usernameRules.longEnough },
        { text: t("newProject.ruleUsernameCharacters"), holds: usernameRules.plainCharacters },
        { text: t("newProject.ruleUsernameAdmin"), holds: usernameRules.notAdmin },
      ]}
      onContinue={(username) => {
        query.set("username", username);
        navigate(`${paths.purchase}?${query}`);
      }}
    />
  );
}
