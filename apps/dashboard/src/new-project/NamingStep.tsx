import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { Button } from "../ui/Button.tsx";
import { Field } from "../ui/Field.tsx";
import { RuleLine } from "../ui/RuleLine.tsx";

interface Props {
  /** such as "step 1 of 2", where there is more than one */
  step?: ReactNode;
  title: string;
  intro: string;
  label: string;
  suffix?: string;
  initial: string;
  maxLength: number;
  normalize(typed: string): string;
  rules: { text: string; holds(name: string): boolean }[];
  onContinue(name: string): void;
}

/** One name, its rules as they are typed, and the way on once all of them hold. */
export function NamingStep({
  step,
  title,
  intro,
  label,
  suffix,
  initial,
  maxLength,
  normalize,
  rules,
  onContinue,
}: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [name, setName] = useState(normalize(initial));
  const isValid = rules.every((rule) => rule.holds(name));

  function submit(event: FormEvent) {
    event.preventDefault();
    if (isValid) onContinue(name);
  }

  return (
    <form onSubmit={submit} className="mx-auto max-w-[520px] sm:pt-10">
      <title>{title}</title>
      {step && <p className="mb-1 text-small font-[560] text-ink-3">{step}</p>}
      <h1 className="text-[24px] leading-[1.2] font-[680] tracking-[-0.022em] sm:text-title">{title}</h1>
      <p className="mt-2 mb-6 text-ink-2">{intro}</p>
      <Field
        large
        label={label}
        suffix={suffix}
        value={name}
        onChange={({ target }) => setName(normalize(target.value))}
        maxLength={maxLength}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <ul className="mt-4 mb-7">
        {rules.map((rule) => (
          <RuleLine
            key={rule.text}
            met={rule.holds(name)}
            verdict={t(rule.holds(name) ? "newProject.ruleMet" : "newProject.ruleUnmet")}
          >
            {rule.text}
          </RuleLine>
        ))}
      </ul>
      <div className="flex justify-between">
        <Button onClick={() => navigate(-1)}>{t("common.back")}</Button>
        <Button type="submit" look="primary" disabled={!isValid}>
          {t("common.continue")}
        </Button>
      </div>
    </form>
  );
}
