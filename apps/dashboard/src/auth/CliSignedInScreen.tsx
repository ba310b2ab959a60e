import { type FormEvent, useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate, useSearchParams } from "react-router";
import { useCall } from "../api/useCall.ts";
import { paths } from "../paths.ts";
import { useUser } from "../state/store.ts";
import { Button } from "../ui/Button.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Field } from "../ui/Field.tsx";
import { Spinner } from "../ui/Spinner.tsx";
import { CliCard } from "./CliCard.tsx";
import { LeaveForm } from "./LeaveForm.tsx";
import { answerTool, findTool, giveLeave, readCode, readQuestion, refuseLeave } from "./toolLeave.ts";

/** The command line's sign-in page for who has signed in: a tool asks for leave, on this machine or by a code. */
export function CliSignedInScreen() {
  const [query] = useSearchParams();
  const question = readQuestion(query);
  const code = readCode(query.get("code") ?? "");
  if (code) return <CodeLeave key={code} code={code} />;
  if (!question) return <CodeForm />;
  const answer = async (isAllowed: boolean) => {
    location.assign(isAllowed ? await giveLeave(question) : refuseLeave(question));
  };
  return <LeaveForm tool={question.tool} onAnswer={answer} />;
}

function CodeForm({ fault }: { fault?: string }) {
  const { t } = useTranslation();
  const { email } = useUser();
  const [, setQuery] = useSearchParams();
  const [isInvalid, setIsInvalid] = useState(false);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const code = readCode(String(new FormData(event.currentTarget).get("code")));
    setIsInvalid(!code);
    if (code) setQuery({ code });
  }

  return (
    <CliCard title={t("login.cliCodeTitle")}>
      <p className="mt-1.5 mb-5 text-ink-2">{t("login.cliCodeIntro", { email })}</p>
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <Field
          label={t("login.cliCode")}
          name="code"
          autoComplete="off"
          autoCapitalize="characters"
          placeholder="BCDF-GHJK"
          error={isInvalid ? t("login.cliCodeInvalid") : undefined}
        />
        {fault && <ErrorBox>{fault}</ErrorBox>}
        <Button type="submit" look="primary">
          {t("common.continue")}
        </Button>
      </form>
    </CliCard>
  );
}

function CodeLeave({ code }: { code: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const call = useCall(useCallback((signal: AbortSignal) => findTool(code, signal), [code]));
  if (call.status === "loading")
    return (
      <CliCard title={t("login.cliCodeTitle")}>
        <p className="mt-4 flex items-center gap-2 text-ink-2">
          <Spinner />
          {t("common.loading")}
        </p>
      </CliCard>
    );
  if (call.status === "failed") return <CodeForm fault={t("login.cliCodeFailed")} />;
  const answer = async (isAllowed: boolean) => {
    await answerTool(code, isAllowed);
    navigate(isAllowed ? paths.cliSuccess : `${paths.cliSuccess}?denied=1`);
  };
  return <LeaveForm tool={call.answer.tool} code={code} onAnswer={answer} />;
}
