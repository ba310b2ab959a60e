import { type FormEvent, type ReactNode, type RefObject, useId } from "react";
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
  /** after the rules */
  suggestions?: ReactNode;
  field?: RefObject<HTMLInputElement | null>;
  onContinue(): void;
  summary: ReactNode;
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
  suggestions,
  field,
  onContinue,
  summary,
}: Props) {
  const { t } = useTranslation();
  const rulesId = useId();
  const isValid = rules.every(({ verdict }) => verdict === "met");
  const verdicts = {
    open: t("common.ruleOpen"),
    met: t("common.ruleMet"),
    unmet: t("common.ruleUnmet"),
    pending: t("common.rulePending"),
  };

  function submit(event: FormEvent) {
    event.preventDefault();
    if (isValid) onContinue();
  }

  return (
    <div className="mx-auto grid max-w-[900px] grid-cols-1 items-start gap-9 sm:pt-10 lg:grid-cols-[minmax(0,520px)_minmax(260px,1fr)]">
      <title>{title}</title>
      <form onSubmit={submit}>
        {step && <p className="mb-1 text-small font-[560] text-ink-3">{step}</p>}
        <h1 className="text-[1.5rem] leading-[1.2] font-[680] tracking-[-0.022em] sm:text-title">{title}</h1>
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
          ref={field}
          large
          label={label}
          suffix={suffix}
          value={value}
          onChange={({ target }) => onType(target.value)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          aria-describedby={rulesId}
        />
        <ul id={rulesId} aria-live="polite" className="mt-4">
          {rules.map(({ id, text, verdict }) => (
            <RuleLine
              key={id}
              verdict={value === "" ? "open" : verdict}
              label={verdicts[value === "" ? "open" : verdict]}
            >
              {text}
            </RuleLine>
          ))}
        </ul>
        {suggestions}
        <div className="mt-7 flex justify-between">
          <ButtonLink to={back}>{t("common.back")}</ButtonLink>
          <Button type="submit" look="primary" disabled={!isValid}>
            {t("common.continue")}
          </Button>
        </div>
      </form>
      {summary}
    </div>
  );
}
