import { type FormEvent, useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate, useSearchParams } from "react-router";
import { useCall } from "../api/useCall.ts";
import { paths } from "../paths.ts";
import { useUser } from "../state/store.ts";
import { Button } from "../ui/Button.tsx";
import { Field } from "../ui/Field.tsx";
import { Spinner } from "../ui/Spinner.tsx";
import { CliCard } from "./CliCard.tsx";
import { answerDevice, denialAddress, findDevice, grantAccess, readGrantRequest, readUserCode } from "./cliGrant.ts";
import { GrantForm } from "./GrantForm.tsx";

/** Lets a signed-in customer grant access to the CLI: on this machine at once, on another one by the code it shows. */
export function CliGrantScreen() {
  const [query] = useSearchParams();
  const request = readGrantRequest(query);
  const code = readUserCode(query.get("code") ?? "");
  if (code) return <DeviceGrant key={code} code={code} />;
  if (!request) return <CodeForm />;
  const answer = async (isAllowed: boolean) => {
    location.assign(isAllowed ? await grantAccess(request) : denialAddress(request));
  };
  return <GrantForm machine={request.machine} onAnswer={answer} />;
}

function CodeForm({ fault }: { fault?: string }) {
  const { t } = useTranslation();
  const { email } = useUser();
  const [, setQuery] = useSearchParams();
  const [isInvalid, setIsInvalid] = useState(false);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const code = readUserCode(String(new FormData(event.currentTarget).get("code")));
    setIsInvalid(!code);
    if (code) setQuery({ code });
  }

  return (
    <CliCard title={t("login.cliCodeTitle")}>
      <p className="mt-1.5 mb-5 text-ink-2">{t("login.cliCodeIntro", { email })}</p>
      <form noValidate onSubmit={submit} className="flex flex-col gap-2">
        <Field
          label={t("login.cliCode")}
          name="code"
          autoComplete="off"
          autoCapitalize="characters"
          placeholder="BCDF-GHJK"
          error={isInvalid ? t("login.cliCodeInvalid") : fault}
        />
        <Button type="submit" look="primary">
          {t("common.continue")}
        </Button>
      </form>
    </CliCard>
  );
}

function DeviceGrant({ code }: { code: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const call = useCall(useCallback((signal: AbortSignal) => findDevice(code, signal), [code]));
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
    await answerDevice(code, isAllowed);
    navigate(isAllowed ? paths.cliSuccess : `${paths.cliSuccess}?denied=1`);
  };
  return <GrantForm machine={call.answer} code={code} onAnswer={answer} />;
}
