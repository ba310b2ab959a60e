import { type AccessKey, type NewPassword, type Project, passwordHours, type SiteAccess } from "@nido/contract";
import { type FormEvent, useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { api, post } from "../api/api.ts";
import { useCall } from "../api/useCall.ts";
import { formatDateTime } from "../i18n/format.ts";
import { currentLanguage } from "../i18n/language.ts";
import { serverPaths } from "../paths.ts";
import { useChange } from "../state/useChange.ts";
import { Button } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { CopyLine } from "../ui/CopyLine.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Field } from "../ui/Field.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";

/** Access to the files of a WordPress site by SFTP: with a password for some hours, or with keys. */
export function FileAccess({ project }: { project: Project }) {
  const { t } = useTranslation();
  const path = serverPaths.access(project.id);
  const call = useCall(useCallback((signal: AbortSignal) => api<SiteAccess>(path, { signal }), [path]));
  const [made, setMade] = useState<NewPassword>();
  const { busy, fault, run } = useChange(call.retry);
  const access = call.status === "done" ? call.answer : undefined;
  const sftp = access?.sftp;
  if (sftp === null) return null;
  const makePassword = () =>
    run(
      "password",
      async () => setMade(await api<NewPassword>(`${path}/password`, post({}))),
      t("project.access.made"),
    );
  const removePassword = () =>
    run(
      "noPassword",
      async () => {
        await api(`${path}/password`, { method: "DELETE" });
        setMade(undefined);
      },
      t("project.access.passwordRemoved"),
    );
  const remove = ({ id }: AccessKey) =>
    run(id, () => api(`${path}/keys/${id}`, { method: "DELETE" }), t("project.access.removed"));
  return (
    <section className="mb-9">
      <h2 className="text-section font-[640]">{t("project.access.title")}</h2>
      <p className="mt-1 mb-3 max-w-[65ch] text-small text-ink-2">{t("project.access.intro")}</p>
      {call.status === "loading" && <Skeleton count={1} className="h-[120px]" />}
      {call.status === "failed" && (
        <div className="flex flex-col items-start gap-4">
          <ErrorBox>{t("errors.error_network")}</ErrorBox>
          <Button onClick={call.retry}>{t("common.retry")}</Button>
        </div>
      )}
      {access && sftp && (
        <Card className="divide-y divide-line">
          <div className="p-5">
            <CopyLine text={`sftp -P ${sftp.port} ${access.user}@${sftp.host}`} label={t("project.access.command")} />
            <p className="mt-3 text-small break-words text-ink-2">
              {t("project.access.address", { host: sftp.host, port: sftp.port, user: access.user })}
            </p>
            <p className="mt-1 text-small break-all text-ink-3">
              {t("project.access.fingerprint", { fingerprint: sftp.fingerprint })}
            </p>
            {project.staging && (
              <p className="mt-2 text-small text-ink-3">
                {t("project.access.staging", { user: `staging--${access.user}` })}
              </p>
            )}
          </div>
          <div className="p-5">
            {made && (
              <div className="mb-4">
                <p className="mb-2 text-small text-ink-2">
                  {t("project.access.password", { date: dateOf(made.until) })}
                </p>
                <CopyLine text={made.password} label={t("project.access.thePassword")} />
              </div>
            )}
            {!made && access.password_until && (
              <p className="mb-3 text-small text-ink-2">
                {t("project.access.passwordUntil", { date: dateOf(access.password_until) })}
              </p>
            )}
            <div className="flex flex-wrap gap-3">
              <Button size="small" busy={busy === "password"} onClick={makePassword}>
                {t("project.access.makePassword", { hours: passwordHours })}
              </Button>
              {access.password_until && (
                <Button size="small" busy={busy === "noPassword"} onClick={removePassword}>
                  {t("project.access.removePassword")}
                </Button>
              )}
            </div>
          </div>
          {access.keys.length > 0 && (
            <ul className="divide-y divide-line">
              {access.keys.map((key) => (
                <li key={key.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 py-3">
                  <div className="min-w-0">
                    <p className="font-[560] break-words">{key.name}</p>
                    <p className="text-small break-all text-ink-3">{key.fingerprint}</p>
                    <p className="text-small text-ink-3">
                      {key.last_used_at
                        ? t("project.access.used", { date: dateOf(key.last_used_at) })
                        : t("project.access.unused")}
                    </p>
                  </div>
                  <Button size="small" busy={busy === key.id} onClick={() => remove(key)}>
                    {t("project.access.remove")}
                    <span className="sr-only">{key.name}</span>
                  </Button>
                </li>
              ))}
            </ul>
          )}
          <NewKey path={path} onAdded={call.retry} />
        </Card>
      )}
      {fault && (
        <div className="mt-4">
          <ErrorBox>{fault}</ErrorBox>
        </div>
      )}
    </section>
  );
}

function NewKey({ path, onAdded }: { path: string; onAdded(): void }) {
  const { t } = useTranslation();
  const [name, setName] = useState("");
  const [key, setKey] = useState("");
  const { busy, fault, run } = useChange(onAdded);

  async function submit(event: FormEvent) {
    event.preventDefault();
    await run(
      "add",
      async () => {
        await api(`${path}/keys`, post({ name, key }));
        setName("");
        setKey("");
      },
      t("project.access.added"),
    );
  }

  return (
    <form onSubmit={submit} className="p-5">
      <div className="grid gap-x-4 md:grid-cols-2">
        <Field
          label={t("project.access.keyName")}
          value={name}
          maxLength={60}
          required
          onChange={({ target }) => setName(target.value)}
        />
        <Field
          label={t("project.access.key")}
          value={key}
          placeholder="ssh-ed25519 AAAA…"
          required
          onChange={({ target }) => setKey(target.value)}
        />
      </div>
      <Button type="submit" size="small" busy={busy !== undefined}>
        {t("project.access.add")}
      </Button>
      {fault && (
        <div className="mt-4">
          <ErrorBox>{fault}</ErrorBox>
        </div>
      )}
    </form>
  );
}

function dateOf(moment: string): string {
  return formatDateTime(moment, currentLanguage());
}
