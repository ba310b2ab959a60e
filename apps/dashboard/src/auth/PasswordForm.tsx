import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import { paths } from "../paths.ts";
import { useSettings } from "../state/store.ts";
import { Button } from "../ui/Button.tsx";
import { Field } from "../ui/Field.tsx";
import { type SignInFault, signIn } from "./signIn.ts";
import { reloadSignedIn, withoutSignIn } from "./withoutSignIn.ts";

interface Missing {
  email?: boolean;
  password?: boolean;
}

export function PasswordForm({ onSecondStep }: { onSecondStep(): void }) {
  const { t } = useTranslation();
  const { sign_up: canReset } = useSettings();
  const here = withoutSignIn(useLocation());
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
    const result = await signIn(email, password);
    if (result === "in") return reloadSignedIn(here);
    if (result === "second step") return onSecondStep();
    setFault(result.fault);
    setIsBusy(false);
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-2">
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
        error={missing.password ? t("login.enter_password") : fault && t(fault)}
      />
      <Button type="submit" look="primary" busy={isBusy}>
        {t(isBusy ? "login.submitting" : "login.submit")}
      </Button>
      {canReset && (
        <Link to={paths.reset} className="self-center text-small text-ink-2 underline underline-offset-2">
          {t("reset.forgot")}
        </Link>
      )}
    </form>
  );
}
