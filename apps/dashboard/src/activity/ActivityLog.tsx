import type { ActivityEntry, ActivityPage } from "@nido/contract";
import { History, Undo2 } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { api } from "../api/api.ts";
import { useCall } from "../api/useCall.ts";
import { formatDateTime } from "../i18n/format.ts";
import { currentLanguage } from "../i18n/language.ts";
import { paths, serverPaths } from "../paths.ts";
import { useAction, useLatestActivity, useSettings } from "../state/store.ts";
import { useErrorText } from "../state/useErrorText.ts";
import { useWhenDone } from "../state/useWhenDone.ts";
import { Badge } from "../ui/Badge.tsx";
import { Button, ButtonLink } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { useSentence } from "./useSentence.ts";

/** The activity of the account, or of one project: the newest first, with a way to undo what can be undone. */
export function ActivityLog({ project }: { project?: string }) {
  const { t } = useTranslation();
  const log = useLog(project);
  const errorText = useErrorText();
  const action = useAction("UNDO");
  const { trigger, inProgress, error } = action;
  const [undoing, setUndoing] = useState<number>();
  const list = useRef<HTMLElement>(null);
  // The button is gone afterwards, and after a refusal what can be undone has changed.
  useWhenDone(action, () => list.current?.focus());
  const { retry } = log;
  useEffect(() => {
    if (error) retry();
  }, [error, retry]);
  if (log.status === "failed")
    return (
      <div className="flex flex-col items-start gap-4">
        <ErrorBox>{t("activity.failed")}</ErrorBox>
        <Button onClick={log.retry}>{t("common.retry")}</Button>
      </div>
    );
  if (log.status === "loading")
    return (
      <div className="flex flex-col gap-3">
        <Skeleton count={6} className="h-14" />
      </div>
    );
  const { entries, more } = log;
  if (entries.length === 0)
    return (
      <EmptyState icon={History} title={t("activity.emptyTitle")}>
        {t("activity.emptyText")}
      </EmptyState>
    );
  const undo = (id: number) => {
    setUndoing(id);
    trigger({ activity_id: id });
  };
  return (
    <section ref={list} tabIndex={-1} aria-label={t("activity.title")} className="outline-none">
      {error && (
        <div className="mb-3">
          <ErrorBox>{errorText(error.error)}</ErrorBox>
        </div>
      )}
      <Card>
        <ol className="divide-y divide-line">
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} isBusy={inProgress && undoing === entry.id} onUndo={undo} />
          ))}
        </ol>
      </Card>
      {more && (
        <Button className="mt-4" busy={more.isLoading} onClick={more.load}>
          {t("activity.more")}
        </Button>
      )}
    </section>
  );
}

const latestShown = 3;

/** The last few entries of a project. Nothing while they are loading, or if there is none. */
export function LatestActivity({ project }: { project: string }) {
  const { t } = useTranslation();
  const log = useLog(project);
  const sentence = useSentence();
  if (log.status !== "done" || log.entries.length === 0) return null;
  return (
    <section className="mb-9">
      <div className="mb-3 flex items-center justify-between gap-3">
        <h2 className="text-section font-[640]">{t("activity.latest")}</h2>
        <ButtonLink size="small" to={paths.projectTab(project, "activity")}>
          {t("activity.all")}
        </ButtonLink>
      </div>
      <Card>
        <ol className="divide-y divide-line">
          {log.entries.slice(0, latestShown).map((entry) => (
            <li key={entry.id} className="flex flex-wrap justify-between gap-x-4 px-5 py-3">
              <span className="min-w-0 break-words">{sentence(entry)}</span>
              <time dateTime={entry.created_at} className="text-small text-ink-3">
                {formatDateTime(entry.created_at, currentLanguage())}
              </time>
            </li>
          ))}
        </ol>
      </Card>
    </section>
  );
}

interface EntryProps {
  entry: ActivityEntry;
  isBusy: boolean;
  onUndo(id: number): void;
}

function Entry({ entry, isBusy, onUndo }: EntryProps) {
  const { t } = useTranslation();
  const { brand } = useSettings();
  const sentence = useSentence()(entry);
  const { id, actor, created_at, undo, is_undone } = entry;
  const who = t(`activity.by.${actor.kind}`, { name: actor.name, brand });
  const from = [actor.kind === "session" && actor.name, actor.place].filter(Boolean).join(", ");
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3">
      <div className="min-w-0 flex-1 basis-[240px]">
        <p className="font-[560] break-words">{sentence}</p>
        <p className="mt-0.5 text-small text-ink-2">
          {who}
          {from && ` (${from})`} · <time dateTime={created_at}>{formatDateTime(created_at, currentLanguage())}</time>
        </p>
      </div>
      {is_undone && <Badge tone="neutral">{t("activity.undone")}</Badge>}
      {undo === "free" && (
        <Button size="small" busy={isBusy} onClick={() => onUndo(id)}>
          <Undo2 className="size-4" aria-hidden="true" />
          {t("activity.undo")}
          <span className="sr-only">: {sentence}</span>
        </Button>
      )}
      {undo && undo !== "free" && <BuyBackLink entry={entry} />}
    </li>
  );
}

/** The paid period of a deleted project is over: a new plan brings it back. */
function BuyBackLink({ entry: { undo, params } }: { entry: ActivityEntry }) {
  const { t } = useTranslation();
  if (!undo || undo === "free" || !("project" in params)) return null;
  return (
    <ButtonLink size="small" to={paths.newProjectFor({ ...undo, domain: params.project })}>
      {t("activity.buyBack")}
      <span className="sr-only">: {params.project}</span>
    </ButtonLink>
  );
}

/** The pages read so far. All are read again when the state says that something is new, or when `retry` is called. */
function useLog(project: string | undefined) {
  const latest = useLatestActivity();
  const [pages, setPages] = useState(1);
  const [isLoading, setIsLoading] = useState(false);
  const load = useCallback(
    async (signal: AbortSignal) => {
      const entries: ActivityEntry[] = [];
      let next: number | undefined;
      for (let page = 0; page < pages && (page === 0 || next !== undefined); page++) {
        const answer = await api<ActivityPage>(serverPaths.activity({ project, before: next }), { signal });
        entries.push(...answer.entries);
        next = answer.next;
      }
      setIsLoading(false);
      return { entries, hasMore: next !== undefined };
    },
    [project, pages],
  );
  const call = useCall(load);
  const [known, setKnown] = useState<Awaited<ReturnType<typeof load>>>();
  useEffect(() => {
    if (call.status === "done") setKnown(call.answer);
  }, [call]);
  const { retry } = call;
  const shown = useRef(latest);
  useEffect(() => {
    if (shown.current === latest) return;
    shown.current = latest;
    retry();
  }, [latest, retry]);
  if (call.status === "failed") return { status: "failed", retry } as const;
  if (!known) return { status: "loading", retry } as const;

  const more = () => {
    setIsLoading(true);
    setPages((count) => count + 1);
  };
  return {
    status: "done",
    retry,
    entries: known.entries,
    more: known.hasMore ? { isLoading, load: more } : undefined,
  } as const;
}
