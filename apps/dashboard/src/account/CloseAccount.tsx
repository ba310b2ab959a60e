import { emailMaxLength } from "@nido/contract";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { api, post } from "../api/api.ts";
import { serverPaths } from "../paths.ts";
import { useProjects, useUser } from "../state/store.ts";
import { useChange } from "../state/useChange.ts";
import { Button } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Field } from "../ui/Field.tsx";

/** Closes the account, after the customer has typed its address. */
export function CloseAccount() {
  const { t } = useTranslation();
  const { email } = useUser();
  const names = Object.values(useProjects()).map(({ name }) => name);
  const [isAsking, setIsAsking] = useState(false);
  const [typed, setTyped] = useState("");
  const { busy, fault, run } = useChange();
  const isConfirmed = typed.trim().toLowerCase() === email.toLowerCase();

  function submit(event: FormEvent) {
    event.preventDefault();
    if (isConfirmed) void run("close", () => api(serverPaths.closeAccount, post({ email: typed })));
  }

  return (
    <section className="mb-9">
      <h2 className="mb-3 text-section font-[640]">{t("data.closeTitle")}</h2>
      <Card className="flex flex-col items-start gap-4 p-5">
        <ul className="max-w-[70ch] list-disc space-y-1.5 pl-5 text-ink-2">
          <li>
            {names.length > 0
              ? t("data.closeEffects.sites", { names: names.join(", ") })
              : t("data.closeEffects.noSites")}
          </li>
          <li>{t("data.closeEffects.subscriptions")}</li>
          <li>{t("data.closeEffects.back")}</li>
          <li>{t("data.closeEffects.kept")}</li>
          <li>{t("data.closeEffects.earnings")}</li>
        </ul>
        {isAsking ? (
          <form noValidate onSubmit={submit} className="flex w-full max-w-[420px] flex-col items-start gap-4">
            <div className="w-full">
              <Field
                label={t("data.closeConfirm", { email })}
                value={typed}
                onChange={({ target }) => setTyped(target.value)}
                maxLength={emailMaxLength}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                autoFocus
              />
            </div>
            {fault && <ErrorBox>{fault}</ErrorBox>}
            <div className="flex flex-wrap gap-3">
              <Button onClick={() => setIsAsking(false)}>{t("common.cancel")}</Button>
              <Button type="submit" look="danger" busy={busy !== undefined} disabled={!isConfirmed}>
                {t("data.closeDo")}
              </Button>
            </div>
          </form>
        ) : (
          <Button look="danger" onClick={() => setIsAsking(true)}>
            {t("data.closeStart")}
          </Button>
        )}
      </Card>
    </section>
  );
}
