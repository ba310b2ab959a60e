import type { SiteCare as Care, CareChange, Project } from "@nido/contract";
import { type ReactNode, useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { api, put } from "../api/api.ts";
import { useCall } from "../api/useCall.ts";
import { formatDateTime, formatDuration } from "../i18n/format.ts";
import { currentLanguage } from "../i18n/language.ts";
import { serverPaths } from "../paths.ts";
import { useChange } from "../state/useChange.ts";
import { Button } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { Choice } from "./Choice.tsx";

/** Who sees a WordPress site, PHP's errors, and what WP-Cron does next. */
export function SiteCare({ project }: { project: Project }) {
  const { t } = useTranslation();
  const path = serverPaths.care(project.id);
  const call = useCall(useCallback((signal: AbortSignal) => api<Care>(path, { signal, timeoutMs: null }), [path]));
  const [changed, setChanged] = useState<Care>();
  const { busy, fault, run } = useChange();
  const care = changed ?? (call.status === "done" ? call.answer : undefined);
  const change = (wanted: CareChange) =>
    run(
      "change",
      async () => setChanged(await api<Care>(path, { ...put(wanted), timeoutMs: null })),
      t("project.care.changed"),
    );
  return (
    <section className="mb-9">
      <h2 className="mb-3 text-section font-[640]">{t("project.looks.title")}</h2>
      {!care && call.status === "loading" && <Skeleton count={1} className="h-[120px]" />}
      {!care && call.status === "failed" && (
        <div className="flex flex-col items-start gap-4">
          <ErrorBox>{t("errors.error_wordpress_silent")}</ErrorBox>
          <Button onClick={call.retry}>{t("common.retry")}</Button>
        </div>
      )}
      {care && (
        <Card className="divide-y divide-line">
          <Choice
            label={t("project.looks.maintained")}
            hint={t("project.looks.maintainedHint")}
            isOn={care.is_maintained}
            isBusy={busy !== undefined}
            onChange={(isOn) => change({ is_maintained: isOn })}
          />
          <Choice
            label={t("project.looks.listed")}
            hint={t("project.looks.listedHint")}
            isOn={care.is_listed}
            isBusy={busy !== undefined}
            onChange={(isOn) => change({ is_listed: isOn })}
          />
          <Choice
            label={t("project.looks.debugged")}
            hint={
              care.debugged_until > 0
                ? t("project.looks.debuggedUntil", { date: dateOf(care.debugged_until) })
                : t("project.looks.debuggedHint")
            }
            isOn={care.debugged_until > 0}
            isBusy={busy !== undefined}
            onChange={(isOn) => change({ is_debugged: isOn })}
          />
          <Details title={t("project.looks.errors", { count: care.errors.length })}>
            {care.errors.map(({ at, count, message }) => (
              <li key={`${at} ${message}`} className="py-2">
                <p className="font-mono text-small break-words whitespace-pre-wrap">{message}</p>
                <p className="text-small text-ink-3">{t("project.looks.error", { date: dateOf(at), count })}</p>
              </li>
            ))}
          </Details>
          <Details title={t("project.looks.slow", { count: care.slow.length })}>
            {care.slow.map(({ at, seconds, path, queries }) => (
              <li key={`${at} ${path} ${seconds}`} className="flex flex-wrap justify-between gap-x-4 py-2 text-small">
                <span className="font-mono break-all">{path}</span>
                <span className="text-ink-3">
                  {t("project.looks.took", {
                    count: queries,
                    seconds: formatDuration(seconds, currentLanguage()),
                    date: dateOf(at),
                  })}
                </span>
              </li>
            ))}
          </Details>
          <Details title={t("project.looks.cron", { count: care.cron.length })}>
            {care.cron.map(({ at, hook }) => (
              <li key={`${at} ${hook}`} className="flex flex-wrap justify-between gap-x-4 py-2 text-small">
                <span className="font-mono break-all">{hook}</span>
                <span className="text-ink-3">{dateOf(at)}</span>
              </li>
            ))}
          </Details>
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

function Details({ title, children }: { title: string; children: ReactNode[] }) {
  if (children.length === 0) return <p className="px-5 py-3 text-ink-2">{title}</p>;
  return (
    <details className="px-5 py-3">
      <summary className="cursor-pointer font-[560]">{title}</summary>
      <ul className="mt-2 divide-y divide-line">{children}</ul>
    </details>
  );
}

function dateOf(seconds: number): string {
  return formatDateTime(new Date(seconds * 1000).toISOString(), currentLanguage());
}
