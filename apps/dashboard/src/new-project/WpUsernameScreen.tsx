import { normalizeUsername, usernameRules } from "@nido/contract";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { NamingStep } from "./NamingStep.tsx";
import { Summary } from "./Summary.tsx";
import { useTyped } from "./typed.ts";
import { useCheckoutDraft } from "./useCheckoutDraft.ts";
import { useResumeNotice } from "./useResumeNotice.ts";

export function WpUsernameScreen() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const draft = useCheckoutDraft();
  const [username, setUsername] = useTyped("username", draft.username, normalizeUsername);
  const notice = useResumeNotice(draft);
  const rule = (id: keyof typeof usernameRules, text: string) => {
    return { id, text, verdict: usernameRules[id](username) ? ("met" as const) : ("unmet" as const) };
  };

  const chosen = draft.with({ category: "wordpress", username }).without("cancelled", "expired");

  return (
    <NamingStep
      step={t("newProject.step", { step: 2 })}
      back={draft.pathTo("wpName")}
      title={t("newProject.usernameTitle")}
      intro={t("newProject.usernameIntro")}
      label={t("newProject.usernameLabel")}
      notice={notice}
      value={username}
      onType={setUsername}
      rules={[
        rule("longEnough", t("newProject.ruleUsernameLength")),
        rule("plainCharacters", t("newProject.ruleUsernameCharacters")),
        rule("notAdmin", t("newProject.ruleUsernameAdmin")),
      ]}
      onContinue={() => navigate(chosen.pathTo(chosen.nextStep))}
      summary={<Summary draft={chosen} />}
    />
  );
}
