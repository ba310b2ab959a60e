import type { FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button, ButtonLink } from "../ui/Button.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Field } from "../ui/Field.tsx";
import { Notice } from "../ui/Notice.tsx";
import { RuleLine, type Verdict } from "../ui/RuleLine.tsx";

export interface Rule {
  id: string;
  text: string;
  verdict: Verdict;
}

interface Props {
  /** such as "step 1 of 2"; undefined if there is only one step */
  step?: string | undefined;
  /** the address of the previous step, with the draft */
  back: string;
  title: string;
  intro: string;
  label: string;
  suffix?: string;
  error?: string | undefined;
  notice?: string | undefined;
  value: string;
  onType(typed: string): void;
  rules: Rule[];
  onContinue(): void;
}

/** Asks for one name, checks its rules on every key, and continues once all of them are met. */
export function NamingStep({
  step,
  back,
  title,
  intro,
  label,
  suffix,
  error,
  notice,
  value,
  onType,
  rules,
  onContinue,
}: Props) {
  const { t } = useTranslation();
  const isValid = rules.every(({ verdict }) => verdict === "met");
  const verdicts = {
    met: t("common.ruleMet"),
    unmet: t("common.ruleUnmet"),
    pending: t("common.rulePending"),
  };

  function submit(event: FormEvent) {
    event.preventDefault();
    if (isValid) onContinue();
  }

  return (
    <form onSubmit={submit} className="mx-auto max-w-[520px] sm:pt-10">
      <title>{title}</title>
      {step && <p className="mb-1 text-small font-[560] text-ink-3">{step}</p>}
      <h1 className="text-[24px] leading-[1.2] font-[680] tracking-[-0.022em] sm:text-title">{title}</h1>
      <p className="mt-2 mb-6 text-ink-2">{intro}</p>
      {error && (
        <div className="mb-5">
          <ErrorBox>{error}</ErrorBox>
        </div>
      )}
      {notice && (
        <div className="mb-5">
          <Notice>{notice}</Notice>
        </div>
      )}
      <Field
        large
        label={label}
        suffix={suffix}
        value={value}
        onChange={({ target }) => onType(target.value)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <ul aria-live="polite" className="mt-4 mb-7">
        {rules.map(({ id, text, verdict }) => (
          <RuleLine key={id} verdict={verdict} label={verdicts[verdict]}>
            {text}
          </RuleLine>
        ))}
      </ul>
      <div className="flex justify-between">
        <ButtonLink to={back}>{t("common.back")}</ButtonLink>
        <Button type="submit" look="primary" disabled={!isValid}>
          {t("common.continue")}
        </Button>
      </div>
    </form>
  );
}
