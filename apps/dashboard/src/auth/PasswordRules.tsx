import { passwordRules } from "@nido/contract";
import { useTranslation } from "react-i18next";
import { RuleLine } from "../ui/RuleLine.tsx";

const names = Object.keys(passwordRules) as (keyof typeof passwordRules)[];

/** A line for each rule of a new password, with its verdict. */
export function PasswordRules({ password }: { password: string }) {
  const { t } = useTranslation();
  return (
    <ul className="text-small">
      {names.map((name) => {
        const verdict = password === "" ? "open" : passwordRules[name](password) ? "met" : "unmet";
        const label = { open: "ruleOpen", met: "ruleMet", unmet: "ruleUnmet" } as const;
        return (
          <RuleLine key={name} verdict={verdict} label={t(`common.${label[verdict]}`)}>
            {t(`passwordRules.${name}`)}
          </RuleLine>
        );
      })}
    </ul>
  );
}
