import { type Project, type RestoreParts, restoreParts, type SiteTables } from "@nido/contract";
import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { api, post } from "../api/api.ts";
import { useCall } from "../api/useCall.ts";
import { serverPaths } from "../paths.ts";
import { useChange } from "../state/useChange.ts";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Radios } from "../ui/Radios.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";

const tableChoices = ["all", "some"] as const;

/** Asks what of a staging copy is published: files, database or both, and of the database all tables or some. */
export function PushDialog({ project, onClose }: { project: Project; onClose(): void }) {
  const { t } = useTranslation();
  const [parts, setParts] = useState<RestoreParts>("all");
  const [choice, setChoice] = useState<(typeof tableChoices)[number]>("all");
  const [chosen, setChosen] = useState<string[]>([]);
  const { busy, fault, run } = useChange(onClose);
  const hasTables = parts !== "files" && choice === "some";
  const push = () =>
    run(
      "push",
      () =>
        api(serverPaths.push(project.id), {
          ...post({ parts, ...(hasTables && { tables: chosen }) }),
          timeoutMs: null,
        }),
      t("project.staging.pushStarted"),
    );
  return (
    <Dialog
      title={t("project.staging.push")}
      note={t(hasTables ? "project.staging.tables.ask" : "project.staging.pushAsk")}
      closeLabel={t("common.close")}
      onClose={onClose}
    >
      <Radios
        question={t("project.staging.what")}
        options={restoreParts}
        labelOf={(part) => t(`project.backups.parts.${part}`)}
        chosen={parts}
        onChoose={setParts}
      />
      {parts !== "files" && (
        <Radios
          question={t("project.staging.tables.which")}
          options={tableChoices}
          labelOf={(option) => t(`project.staging.tables.${option}`)}
          chosen={choice}
          onChoose={setChoice}
        />
      )}
      {hasTables && <Tables project={project} chosen={chosen} onChoose={setChosen} />}
      <div className="flex justify-end gap-3">
        <Button onClick={onClose}>{t("common.cancel")}</Button>
        <Button look="primary" busy={busy !== undefined} disabled={hasTables && chosen.length === 0} onClick={push}>
          {t("project.staging.push")}
        </Button>
      </div>
      {fault && (
        <div className="mt-4">
          <ErrorBox>{fault}</ErrorBox>
        </div>
      )}
    </Dialog>
  );
}

interface TablesProps {
  project: Project;
  chosen: string[];
  onChoose(tables: string[]): void;
}

function Tables({ project, chosen, onChoose }: TablesProps) {
  const { t } = useTranslation();
  const path = serverPaths.stagingTables(project.id);
  const call = useCall(
    useCallback((signal: AbortSignal) => api<SiteTables>(path, { signal, timeoutMs: null }), [path]),
  );
  if (call.status === "loading") return <Skeleton count={4} className="mb-2 h-6" />;
  if (call.status === "failed")
    return (
      <div className="mb-5 flex flex-col items-start gap-3">
        <ErrorBox>{t("project.staging.tables.failed")}</ErrorBox>
        <Button size="small" onClick={call.retry}>
          {t("common.retry")}
        </Button>
      </div>
    );
  const toggle = (name: string) =>
    onChoose(chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name]);
  return (
    <>
      <fieldset className="mb-2 max-h-[220px] overflow-y-auto rounded-control border border-line px-3 py-1.5">
        <legend className="sr-only">{t("project.staging.tables.some")}</legend>
        {call.answer.tables.map(({ name, rows }) => (
          <label key={name} className="flex items-baseline gap-2 py-1 text-small">
            <input
              type="checkbox"
              className="accent-brand"
              checked={chosen.includes(name)}
              onChange={() => toggle(name)}
            />
            <span className="min-w-0 flex-1 break-all">{name}</span>
            <span className="text-ink-2">{t("project.staging.tables.rows", { count: rows })}</span>
          </label>
        ))}
      </fieldset>
      <p className="mb-5 text-small text-ink-2">{t("project.staging.tables.note")}</p>
    </>
  );
}
