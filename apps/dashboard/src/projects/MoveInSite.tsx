import type { MoveIn, MoveInReport, Project } from "@nido/contract";
import { useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError, api, post } from "../api/api.ts";
import { useCall } from "../api/useCall.ts";
import { formatBytes } from "../i18n/bytes.ts";
import { currentLanguage } from "../i18n/language.ts";
import { serverPaths } from "../paths.ts";
import { useChange } from "../state/useChange.ts";
import { Button } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { ProgressBar } from "../ui/ProgressBar.tsx";
import { Segments } from "../ui/Segments.tsx";
import { MoveInByPlugin, MoveInBySftp } from "./MoveInAddress.tsx";
import { sendArchive } from "./sendArchive.ts";
import { isWorking } from "./WorkProgress.tsx";

const ways = ["address", "sftp", "file"] as const;
type Way = (typeof ways)[number];

const refreshMs = 5000;

/** Another WordPress becomes the staging copy of this one: it is copied from its address, or sent as an archive. */
export function MoveInSite({ project }: { project: Project }) {
  const { t } = useTranslation();
  const path = serverPaths.moveIn(project.id);
  const call = useCall(useCallback((signal: AbortSignal) => api<MoveIn>(path, { signal }), [path]));
  const { retry } = call;
  const input = useRef<HTMLInputElement>(null);
  const [progress, setProgress] = useState<number>();
  const [sendFault, setSendFault] = useState<string>();
  const sending = useRef<AbortController>(undefined);
  const { busy, fault, run } = useChange(retry);
  const upload = call.status === "done" ? call.answer.upload : null;
  const isCopying = upload?.isCopying === true;
  const isWhole = upload !== null && !isCopying && upload.received === upload.size;
  const isLookedAt = isWhole && progress === undefined && !upload.report && !upload.problem;
  const isChanging = isCopying || isLookedAt;
  const isPartial = upload !== null && !isWhole && !isCopying && !upload.problem;
  const isEmpty = call.status === "done" && (!upload || upload.problem !== undefined);
  const needsRefresh = isChanging || call.status === "failed";
  const [way, setWay] = useState<Way>("address");
  useEffect(() => {
    const timer = needsRefresh ? setInterval(retry, refreshMs) : undefined;
    return () => clearInterval(timer);
  }, [needsRefresh, retry]);
  useEffect(() => () => sending.current?.abort(), []);

  async function send(file: File | undefined) {
    if (!file) return;
    sending.current = new AbortController();
    setSendFault(undefined);
    setProgress(0);
    try {
      await sendArchive(path, file, sending.current.signal, setProgress);
    } catch (error) {
      if (!sending.current.signal.aborted)
        setSendFault(t(`errors.${error instanceof ApiError ? error.key : "error_network"}`));
    } finally {
      setProgress(undefined);
      retry();
    }
  }
  const start = () => run("start", () => api(`${path}/start`, post({})), t("project.moveIn.started"));
  const remove = () => run("remove", () => api(path, { method: "DELETE" }), t("project.moveIn.removed"));
  const chooseFile = (
    <Button size="small" disabled={isWorking(project)} onClick={() => input.current?.click()}>
      {t(isPartial ? "project.moveIn.chooseAgain" : "project.moveIn.choose")}
    </Button>
  );

  return (
    <section className="mb-9">
      <h2 className="text-section font-[640]">{t("project.moveIn.title")}</h2>
      <p className="mt-1 mb-3 max-w-[65ch] text-small text-ink-2">{t("project.moveIn.intro")}</p>
      <Card className="p-5">
        <input
          ref={input}
          type="file"
          hidden
          accept=".zip,.tar,.tgz,.gz"
          aria-label={t("project.moveIn.choose")}
          onChange={({ target }) => {
            void send(target.files?.[0]);
            target.value = "";
          }}
        />
        {progress !== undefined && (
          <div className="max-w-[420px]">
            <ProgressBar label={t("project.moveIn.sending")} percent={Math.floor(progress * 100)} />
            <Button size="small" className="mt-3" onClick={() => sending.current?.abort()}>
              {t("common.cancel")}
            </Button>
          </div>
        )}
        {progress === undefined && (
          <>
            {upload?.problem && <ErrorBox>{t(`errors.${upload.problem}`)}</ErrorBox>}
            {isLookedAt && (
              <p role="status" className="text-ink-2">
                {t("project.moveIn.looking", { name: upload.name })}
              </p>
            )}
            {call.status === "failed" && <ErrorBox>{t("errors.error_network")}</ErrorBox>}
            {isCopying && <Copying upload={upload} />}
            {isPartial && <p className="text-ink-2">{t("project.moveIn.partial", { name: upload.name })}</p>}
            {upload?.report && <Report name={upload.name} report={upload.report} />}
            {isEmpty && (
              <div className={upload ? "mt-4" : ""}>
                <Segments<Way>
                  label={t("project.moveIn.way")}
                  value={way}
                  options={ways.map((value) => ({ value, label: t(`project.moveIn.ways.${value}`) }))}
                  onChange={setWay}
                />
                <div className="mt-4">
                  {way === "address" && <MoveInByPlugin path={path} disabled={isWorking(project)} onBegun={retry} />}
                  {way === "sftp" && <MoveInBySftp path={path} disabled={isWorking(project)} onBegun={retry} />}
                  {way === "file" && (
                    <>
                      <p className="mb-3 max-w-[65ch] text-small text-ink-2">{t("project.moveIn.fileIntro")}</p>
                      {chooseFile}
                    </>
                  )}
                </div>
              </div>
            )}
            {upload && (
              <div className="mt-4 flex flex-wrap gap-2">
                {upload.report && (
                  <Button
                    size="small"
                    look="primary"
                    busy={busy === "start"}
                    disabled={isWorking(project)}
                    onClick={start}
                  >
                    {t(project.staging ? "project.moveIn.replace" : "project.moveIn.start")}
                  </Button>
                )}
                {isPartial && chooseFile}
                <Button size="small" busy={busy === "remove"} disabled={isWorking(project)} onClick={remove}>
                  {t(isCopying ? "common.cancel" : "project.moveIn.remove")}
                </Button>
              </div>
            )}
          </>
        )}
        {(fault ?? sendFault) && (
          <div className="mt-4">
            <ErrorBox>{fault ?? sendFault}</ErrorBox>
          </div>
        )}
      </Card>
    </section>
  );
}

function Copying({ upload: { name, received, size } }: { upload: NonNullable<MoveIn["upload"]> }) {
  const { t } = useTranslation();
  const inWords = (bytes: number) => formatBytes(bytes, currentLanguage());
  return (
    <div className="max-w-[420px]">
      <p className="mb-2 text-small text-ink-2 break-words">
        {t("project.moveIn.copying", { name, received: inWords(received), size: inWords(Math.max(size, received)) })}
      </p>
      <ProgressBar
        label={t("project.moveIn.progress")}
        percent={Math.min(Math.floor((received / Math.max(size, 1)) * 100), 99)}
      />
    </div>
  );
}

function Report({ name, report }: { name: string; report: MoveInReport }) {
  const { t } = useTranslation();
  const { files, bytes, url, tables, wordpress, plugins, themes, needless, left, failed = [] } = report;
  const facts: [string, string][] = [
    [t("project.moveIn.facts.url"), url],
    [t("project.moveIn.facts.wordpress"), wordpress],
    [
      t("project.moveIn.facts.files"),
      t("project.moveIn.fileCount", { count: files, size: formatBytes(bytes, currentLanguage()) }),
    ],
    [t("project.moveIn.facts.tables"), String(tables)],
    [t("project.moveIn.facts.plugins"), plugins.join(", ")],
    [t("project.moveIn.facts.themes"), themes.join(", ")],
    [t("project.moveIn.facts.left"), left.join(", ")],
  ];
  return (
    <>
      <p className="mb-3 font-[560] break-words">{name}</p>
      <dl className="grid gap-x-6 gap-y-1.5 text-small sm:grid-cols-[auto_1fr]">
        {facts
          .filter(([, value]) => value)
          .map(([label, value]) => (
            <div key={label} className="contents">
              <dt className="text-ink-3">{label}</dt>
              <dd className="mb-1.5 min-w-0 break-words sm:mb-0">{value}</dd>
            </div>
          ))}
      </dl>
      {failed.length > 0 && (
        <div className="mt-3">
          <ErrorBox>{t("project.moveIn.failed", { tables: failed.join(", ") })}</ErrorBox>
        </div>
      )}
      {needless.length > 0 && (
        <p className="mt-3 max-w-[65ch] text-small text-ink-2">
          {t("project.moveIn.needless", { plugins: needless.join(", ") })}
        </p>
      )}
      <p className="mt-3 max-w-[65ch] text-small text-ink-2">{t("project.moveIn.next")}</p>
    </>
  );
}
