import { type SiteMail as Mail, type Project, type SiteMessage, siteMailProblems } from "@nido/contract";
import { useCallback, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { api, post } from "../api/api.ts";
import { useCall } from "../api/useCall.ts";
import { formatDateTime } from "../i18n/format.ts";
import { currentLanguage } from "../i18n/language.ts";
import { serverPaths } from "../paths.ts";
import { useChange } from "../state/useChange.ts";
import { Button } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { StatusDot } from "../ui/StatusDot.tsx";

const refreshMs = 10_000;
const states = { sent: "good", waiting: "waiting", held: "waiting", refused: "bad", dropped: "bad" } as const;

/** The mail that a WordPress site sends, and what became of it. */
export function SiteMail({ project }: { project: Project }) {
  const { t } = useTranslation();
  const path = serverPaths.mail(project.id);
  const call = useCall(useCallback((signal: AbortSignal) => api<Mail>(path, { signal }), [path]));
  const { busy, fault, run } = useChange(call.retry);
  const mail = call.status === "done" ? call.answer : undefined;
  const [isExpecting, setExpecting] = useState(false);
  const isWaiting = isExpecting || (mail?.messages.some(({ status }) => status === "waiting") ?? false);
  useEffect(() => {
    const timer = isWaiting ? setInterval(call.retry, refreshMs) : undefined;
    return () => clearInterval(timer);
  }, [isWaiting, call.retry]);
  async function test() {
    await run("test", () => api(path, { ...post({}), timeoutMs: null }), t("project.mail.tested"));
    // It is in the list once somebody has tried to send it.
    setExpecting(true);
  }

  return (
    <section className="mb-9">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-section font-[640]">{t("project.mail.title")}</h2>
        <Button size="small" busy={busy !== undefined} onClick={test}>
          {t("project.mail.test")}
        </Button>
      </div>
      {fault && (
        <div className="mb-4">
          <ErrorBox>{fault}</ErrorBox>
        </div>
      )}
      {mail?.is_suspended && (
        <div className="mb-4">
          <ErrorBox>{t("project.mail.suspended")}</ErrorBox>
        </div>
      )}
      {call.status === "loading" && <Skeleton count={1} className="h-[120px]" />}
      {call.status === "failed" && (
        <div className="flex flex-col items-start gap-4">
          <ErrorBox>{t("errors.error_network")}</ErrorBox>
          <Button onClick={call.retry}>{t("common.retry")}</Button>
        </div>
      )}
      {mail && (
        <Card>
          <p className="border-b border-line px-5 py-3 text-small text-ink-2">
            {t("project.mail.quota", { used: mail.used, allowed: mail.allowed })}
          </p>
          {mail.messages.length === 0 && <p className="p-5 text-ink-2">{t("project.mail.none")}</p>}
          <ul className="max-h-[420px] divide-y divide-line overflow-y-auto">
            {mail.messages.map((message) => (
              <Message key={message.id} message={message} />
            ))}
          </ul>
        </Card>
      )}
    </section>
  );
}

function Message({ message: { at, recipients, subject, status, problem } }: { message: SiteMessage }) {
  const { t } = useTranslation();
  const known = siteMailProblems.find((each) => each === problem);
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 px-5 py-3">
      <div className="min-w-0 flex-1 basis-[240px]">
        <p className="font-[560] break-words">{subject || t("project.mail.noSubject")}</p>
        <p className="text-small break-words text-ink-3">
          {[recipients, formatDateTime(at, currentLanguage())].filter(Boolean).join(" · ")}
        </p>
        {status !== "sent" && problem && (
          <p className="text-small break-words text-ink-2">{known ? t(`project.mail.problems.${known}`) : problem}</p>
        )}
      </div>
      <StatusDot state={states[status]}>{t(`project.mail.statuses.${status}`)}</StatusDot>
    </li>
  );
}
