import type { ErrorKey } from "@nido/contract";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError, api, post } from "../api/api.ts";
import { paths, serverPaths } from "../paths.ts";
import { Button, ButtonLink } from "../ui/Button.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Field } from "../ui/Field.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";

/** Confirms an address by the link. In another browser than the one that began, it asks for the password. */
export function ConfirmLink({ token }: { token: string }) {
  const { t } = useTranslation();
  const [needsPassword, setNeedsPassword] = useState(false);
  const [isBusy, setIsBusy] = useState(true);
  const [fault, setFault] = useState<ErrorKey>();

  async function confirm(password?: string) {
    setIsBusy(true);
    setFault(undefined);
    try {
      const { redirect } = await api<{ redirect: string }>(serverPaths.confirmSignUp, post({ token, password }));
      location.assign(redirect);
    } catch (error) {
      const key = error instanceof ApiError ? error.key : "error_network";
      if (key === "error_password_needed") setNeedsPassword(true);
      else setFault(key);
      setIsBusy(false);
    }
  }

  // The link works once, and development mounts twice.
  const isSent = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page opens.
  useEffect(() => {
    if (!isSent.current) void confirm();
    isSent.current = true;
  }, []);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    void confirm(String(new FormData(event.currentTarget).get("password")));
  }

  if (needsPassword)
    return (
      <form noValidate onSubmit={submit} className="flex flex-col gap-2">
        <p className="text-ink-2">{t("signUp.linkPassword")}</p>
        <Field
          label={t("login.password")}
          name="password"
          type="password"
          autoComplete="current-password"
          error={fault && t(`errors.${fault}`)}
        />
        <Button type="submit" look="primary" busy={isBusy}>
          {t("signUp.confirm")}
        </Button>
      </form>
    );
  if (fault)
    return (
      <div className="flex flex-col items-start gap-4">
        <ErrorBox>{t(`errors.${fault}`)}</ErrorBox>
        <ButtonLink to={paths.signUp}>{t("signUp.submit")}</ButtonLink>
      </div>
    );
  return <Skeleton count={1} className="h-10" />;
}
