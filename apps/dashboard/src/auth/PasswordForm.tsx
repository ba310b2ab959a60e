import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import { Button } from "../ui/Button.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Field } from "../ui/Field.tsx";
import { type SignInFault, signIn } from "./signIn.ts";
import { withoutError } from "./withoutError.ts";

interface Missing {
  email?: boolean;
  password?: boolean;
}

export function PasswordForm() {
  const { t } = useTranslation();
  const here = withoutError(useLocation());
  const [missing, setMissing] = useState<Missing>({});
  const [fault, setFault] = useState<SignInFault>();
  const [isBusy, setIsBusy] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [email, password] = [String(form.get("email")).trim(), String(form.get("password"))];
    setMissing({ email: email === "", password: password === "" });
    setFault(undefined);
    if (email === "" || password === "") return;

    setIsBusy(true);
    const failed = await signIn(email, password);
    if (!failed) {
      history.replaceState(null, "", here);
      return location.reload();
    }
    setFault(failed);
    setIsBusy(false);
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <Field
        label={t("login.email")}
        name="email"
        type="email"
        autoComplete="username"
        error={missing.email ? t("login.enter_email") : undefined}
      />
      <Field
        label={t("login.password")}
        name="password"
        type="password"
        autoComplete="current-password"
        error={missing.password ? t("login.enter_password") : undefined}
      />
      {fault && <ErrorBox>{t(fault)}</ErrorBox>}
      <Button type="submit" look="primary" busy={isBusy}>
        {t(isBusy ? "login.submitting" : "login.submit")}
      </Button>
    </form>
  );
}
