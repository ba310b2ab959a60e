import { type PasskeyInfo, type PasskeyOptions, passkeyNameMaxLength } from "@nido/contract";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { api, post } from "../api/api.ts";
import { canUsePasskeys, createPasskey } from "../api/passkeys.ts";
import { formatDate } from "../i18n/format.ts";
import { currentLanguage } from "../i18n/language.ts";
import { serverPaths } from "../paths.ts";
import { useChange } from "../state/useChange.ts";
import { Button } from "../ui/Button.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Field } from "../ui/Field.tsx";
import { Row, Rows } from "../ui/Rows.tsx";

export function Passkeys({ passkeys, onChanged }: { passkeys: PasskeyInfo[]; onChanged(): void }) {
  const { t } = useTranslation();
  const lang = currentLanguage();
  const { busy, fault, run } = useChange(onChanged);
  const [isNaming, setIsNaming] = useState(false);

  async function add(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get("name")).trim();
    if (name === "") return;
    const added = await run("add", async () => {
      const options = await api<PasskeyOptions>(serverPaths.newPasskey, post({}));
      const passkey = await createPasskey(options);
      return api(serverPaths.passkeys, post({ name, passkey }));
    });
    if (added) setIsNaming(false);
  }

  return (
    <Rows title={t("security.passkeys")}>
      {passkeys.map(({ id, name, created_at, used_at }) => (
        <Row
          key={id}
          label={name}
          action={
            <Button
              size="small"
              look="danger"
              busy={busy === id}
              disabled={busy !== undefined}
              onClick={() => run(id, () => api(serverPaths.passkey(id), { method: "DELETE" }))}
            >
              {t("security.remove")}
              <span className="sr-only">{name}</span>
            </Button>
          }
        >
          <span className="font-normal text-ink-2">
            {t("security.added", { date: formatDate(created_at, lang) })},{" "}
            {used_at ? t("security.used", { date: formatDate(used_at, lang) }) : t("security.neverUsed")}
          </span>
        </Row>
      ))}
      <Row
        label={t("security.passkeyAdd")}
        action={
          canUsePasskeys() &&
          !isNaming && (
            <Button size="small" onClick={() => setIsNaming(true)}>
              {t("security.passkeyAdd")}
            </Button>
          )
        }
      >
        <span className="font-normal text-ink-2">
          {t(canUsePasskeys() ? "security.passkeysText" : "security.passkeyUnsupported")}
        </span>
        {isNaming && (
          <form noValidate onSubmit={add} className="mt-4 flex flex-col gap-3">
            <Field
              label={t("security.passkeyName")}
              hint={t("security.passkeyNameHint")}
              name="name"
              maxLength={passkeyNameMaxLength}
              autoFocus
            />
            <div className="flex gap-3">
              <Button type="submit" look="primary" busy={busy === "add"}>
                {t(busy === "add" ? "security.passkeyAdding" : "common.continue")}
              </Button>
              <Button disabled={busy === "add"} onClick={() => setIsNaming(false)}>
                {t("common.cancel")}
              </Button>
            </div>
          </form>
        )}
        {fault && (
          <div className="mt-3">
            <ErrorBox>{fault}</ErrorBox>
          </div>
        )}
      </Row>
    </Rows>
  );
}
