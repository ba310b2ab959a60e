import type { MoveInSource } from "@nido/contract";
import { type ComponentProps, type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { api, post } from "../api/api.ts";
import { useChange } from "../state/useChange.ts";
import { Button } from "../ui/Button.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Field } from "../ui/Field.tsx";

interface Props {
  path: string;
  disabled: boolean;
  onBegun: () => void;
}

/** The other site is asked while the owner waits. */
const timeoutMs = 90_000;
const sshPort = "22";

/** The other WordPress is copied from its address. Its owner has installed our plugin there. */
export function MoveInByPlugin(props: Props) {
  const { t } = useTranslation();
  const [url, setUrl] = useState("");
  const [user, setUser] = useState("");
  const [password, setPassword] = useState("");
  return (
    <CopyForm {...props} source={{ url, user, password }}>
      <ol className="mb-4 max-w-[65ch] list-decimal space-y-1.5 pl-5 text-small text-ink-2">
        <li>
          <a href={`${props.path}/plugin`} download className="font-[560] text-ink underline">
            {t("project.moveIn.plugin")}
          </a>
          {t("project.moveIn.install")}
        </li>
        <li>{t("project.moveIn.makePassword")}</li>
        <li>{t("project.moveIn.enter")}</li>
      </ol>
      <div className="grid gap-x-4 md:grid-cols-3">
        <UrlField value={url} onText={setUrl} />
        <TextField label={t("project.moveIn.user")} value={user} maxLength={100} onText={setUser} />
        <TextField
          label={t("project.moveIn.password")}
          value={password}
          type="password"
          maxLength={200}
          onText={setPassword}
        />
      </div>
    </CopyForm>
  );
}

/** We put our plugin into the other WordPress. */
export function MoveInBySftp(props: Props) {
  const { t } = useTranslation();
  const [url, setUrl] = useState("");
  const [host, setHost] = useState("");
  const [port, setPort] = useState(sshPort);
  const [user, setUser] = useState("");
  const [password, setPassword] = useState("");
  return (
    <CopyForm {...props} source={{ url, sftp: { host, port: Number(port), user, password } }}>
      <p className="mb-4 max-w-[65ch] text-small text-ink-2">{t("project.moveIn.sftpIntro")}</p>
      <div className="grid gap-x-4 md:grid-cols-3">
        <UrlField value={url} onText={setUrl} />
        <TextField
          label={t("project.moveIn.host")}
          value={host}
          placeholder="sftp.example.com"
          maxLength={253}
          onText={setHost}
        />
        <TextField
          label={t("project.moveIn.port")}
          value={port}
          inputMode="numeric"
          pattern="\d{1,5}"
          maxLength={5}
          onText={setPort}
        />
        <TextField label={t("project.moveIn.sftpUser")} value={user} maxLength={100} onText={setUser} />
        <TextField
          label={t("project.moveIn.sftpPassword")}
          value={password}
          type="password"
          maxLength={1000}
          onText={setPassword}
        />
      </div>
    </CopyForm>
  );
}

function CopyForm({
  path,
  disabled,
  onBegun,
  source,
  children,
}: Props & { source: MoveInSource; children: ReactNode }) {
  const { t } = useTranslation();
  const { busy, fault, run } = useChange(onBegun);

  function submit(event: FormEvent) {
    event.preventDefault();
    const copy = () => api(`${path}/source`, { ...post(source), timeoutMs });
    void run("copy", copy, t("project.moveIn.copyStarted"));
  }

  return (
    <form onSubmit={submit}>
      {children}
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

function UrlField({ value, onText }: { value: string; onText: (text: string) => void }) {
  const { t } = useTranslation();
  return (
    <TextField
      label={t("project.moveIn.url")}
      value={value}
      inputMode="url"
      placeholder="example.com"
      maxLength={300}
      onText={onText}
    />
  );
}

function TextField({ onText, ...field }: ComponentProps<typeof Field> & { onText: (text: string) => void }) {
  return <Field autoComplete="off" required onChange={({ target }) => onText(target.value)} {...field} />;
}
