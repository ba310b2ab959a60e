import type { DataExport } from "@nido/contract";
import { Download } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { api, post } from "../api/api.ts";
import { useCall } from "../api/useCall.ts";
import { formatBytes } from "../i18n/bytes.ts";
import { formatDateTime } from "../i18n/format.ts";
import { currentLanguage } from "../i18n/language.ts";
import { serverPaths } from "../paths.ts";
import { useChange } from "../state/useChange.ts";
import { Button } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { ProgressBar } from "../ui/ProgressBar.tsx";

const pollMs = 2000;
const load = (signal: AbortSignal) => api<{ export: DataExport | null }>(serverPaths.dataExport, { signal });

/** Asks for an archive of everything that the customer has here, shows its progress, and offers it for a day. */
export function DownloadData() {
  const { t } = useTranslation();
  const call = useCall(load);
  const { retry } = call;
  const { busy, fault, run } = useChange(retry);
  const [archive, setArchive] = useState<DataExport | null>(null);
  const isRunning = archive?.state === "running";
  useEffect(() => {
    if (call.status === "loading") return;
    // A failed question leaves what was known, and is asked again.
    if (call.status === "done") setArchive(call.answer.export);
    const isOver = call.status === "done" && call.answer.export?.state !== "running";
    if (isOver) return;
    const timer = setTimeout(retry, pollMs);
    return () => clearTimeout(timer);
  }, [call, retry]);

  const request = () => run("export", () => api(serverPaths.dataExport, post({})));
  const download = (id: string) =>
    run("download", async () => {
      await api(serverPaths.dataExportFile(id), post({}));
      location.assign(serverPaths.dataExportFile(id));
    });
  return (
    <section className="mb-9">
      <h2 className="mb-3 text-section font-[640]">{t("data.title")}</h2>
      <Card className="flex flex-col items-start gap-4 p-5">
        <p className="max-w-[70ch] text-ink-2">{t("data.text")}</p>
        {fault && <ErrorBox>{fault}</ErrorBox>}
        {call.status === "failed" && !archive && <ErrorBox>{t("errors.error_network")}</ErrorBox>}
        {archive?.state === "failed" && <ErrorBox>{t("data.failed")}</ErrorBox>}
        <div role="status" className="w-full empty:hidden">
          {isRunning && (
            <div className="max-w-[420px]">
              <p className="mb-1.5 text-small text-ink-2">{t("data.running")}</p>
              <ProgressBar label={t("data.progress")} percent={archive.progress} />
            </div>
          )}
          {archive?.state === "ready" && (
            <p>{t("data.ready", { date: formatDateTime(archive.expires_at, currentLanguage()) })}</p>
          )}
        </div>
        {archive?.state === "ready" ? (
          <Button look="primary" busy={busy === "download"} onClick={() => download(archive.id)}>
            <Download className="size-4" aria-hidden="true" />
            {t("data.download", { size: formatBytes(archive.size, currentLanguage()) })}
          </Button>
        ) : (
          <Button busy={busy === "export"} disabled={isRunning || call.status === "loading"} onClick={request}>
            {t("data.request")}
          </Button>
        )}
      </Card>
    </section>
  );
}
