import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { api, post } from "../api/api.ts";
import { useChange } from "../state/useChange.ts";
import { Button } from "../ui/Button.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Field } from "../ui/Field.tsx";

/** The other site is asked while the owner waits. */
const timeoutMs = 90_000;

/** The other WordPress is copied from its address, with our plugin in it. */
export function MoveInAddress({ path, disabled, onBegun }: { path: string; disabled: boolean; onBegun: () => void }) {
  const { t } = useTranslation();
  const [url, setUrl] = useState("");
  const [user, setUser] = useState("");
  const [password, setPassword] = useState("");
  const { busy, fault, run } = useChange(onBegun);

  function submit(event: FormEvent) {
    event.preventDefault();
    const copy = () => api(`${path}/source`, { ...post({ url, user, password }), timeoutMs });
    void run("copy", copy, t("project.moveIn.copyStarted"));
  }

  return (
    <form onSubmit={submit}>
      <ol className="mb-4 max-w-[65ch] list-decimal space-y-1.5 pl-5 text-small text-ink-2">
        <li>
          <a href={`${path}/plugin`} download className="font-[560] text-ink underline">
            {t("project.moveIn.plugin")}
          </a>
          {t("project.moveIn.install")}
        </li>
        <li>{t("project.moveIn.makePassword")}</li>
        <li>{t("project.moveIn.enter")}</li>
      </ol>
      <div className="grid gap-x-4 md:grid-cols-3">
        <Field
          label={t("project.moveIn.url")}
          value={url}
          inputMode="url"
          autoComplete="off"
          placeholder="example.com"
          maxLength={300}
          required
          onChange={({ target }) => setUrl(target.value)}
        />
        <Field
          label={t("project.moveIn.user")}
          value={user}
          autoComplete="off"
          maxLength={100}
          required
          onChange={({ target }) => setUser(target.value)}
        />
        <Field
          label={t("project.moveIn.password")}
          value={password}
          type="password"
          autoComplete="off"
          maxLength={200}
          required
          onChange={({ target }) => setPassword(target.value)}
        />
      </div>
      <Button type="submit" size="small" busy={busy !== undefined} disabled={disabled}>
        {t("project.moveIn.copy")}
      </Button>
      {fault && (
        <div className="mt-4">
          <ErrorBox>{fault}</ErrorBox>
        </div>
      )}
    </form>
  );
}
