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
        const isMet = passwordRules[name](password);
        return (
          <RuleLine
            key={name}
            verdict={isMet ? "met" : "unmet"}
            label={t(isMet ? "common.ruleMet" : "common.ruleUnmet")}
          >
            {t(`passwordRules.${name}`)}
          </RuleLine>
        );
      })}
    </ul>
  );
}
