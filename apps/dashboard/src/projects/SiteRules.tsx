import { maxRootFiles, type Project, type SiteRules as Rules, redirectFaults, ruleTexts } from "@nido/contract";
import { type FormEvent, useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { api, put } from "../api/api.ts";
import { useCall } from "../api/useCall.ts";
import { currentLanguage } from "../i18n/language.ts";
import { serverPaths } from "../paths.ts";
import { useChange } from "../state/useChange.ts";
import { Button } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Field } from "../ui/Field.tsx";
import { LinesField, linesOf } from "../ui/LinesField.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";

/** What is done before WordPress is asked: redirects, files at the root, pages that are not kept. */
export function SiteRules({ project }: { project: Project }) {
  const { t } = useTranslation();
  const path = serverPaths.rules(project.id);
  const call = useCall(useCallback((signal: AbortSignal) => api<Rules>(path, { signal }), [path]));
  return (
    <section className="mb-9">
      <h2 className="text-section font-[640]">{t("project.rules.title")}</h2>
      <p className="mt-1 mb-3 max-w-[65ch] text-small text-ink-2">{t("project.rules.intro")}</p>
      {call.status === "loading" && <Skeleton count={1} className="h-[240px]" />}
      {call.status === "failed" && (
        <div className="flex flex-col items-start gap-4">
          <ErrorBox>{t("errors.error_network")}</ErrorBox>
          <Button onClick={call.retry}>{t("common.retry")}</Button>
        </div>
      )}
      {call.status === "done" && <Editor path={path} saved={call.answer} />}
    </section>
  );
}

function Editor({ path, saved }: { path: string; saved: Rules }) {
  const { t } = useTranslation();
  const [redirects, setRedirects] = useState(saved.redirects);
  const [uncached, setUncached] = useState(saved.uncached.join("\n"));
  const [files, setFiles] = useState(() => saved.files.map((file, key) => ({ ...file, key })));
  const { busy, fault, run } = useChange();
  const [first] = redirectFaults(redirects);

  function save(event: FormEvent) {
    event.preventDefault();
    const rules: Rules = {
      redirects,
      uncached: linesOf(uncached),
      files: files.map(({ name, content }) => ({ name: name.trim().replace(/^\//, ""), content })),
    };
    void run("save", () => api(path, put(rules)), t("project.rules.saved"));
  }
  const change = (key: number, part: Partial<Rules["files"][number]>) =>
    setFiles((before) => before.map((file) => (file.key === key ? { ...file, ...part } : file)));

  return (
    <Card>
      <form onSubmit={save} className="divide-y divide-line">
        <div className="p-5">
          <LinesField
            label={t("project.rules.redirects")}
            hint={t("project.rules.redirectsHint")}
            error={
              first &&
              `${t("project.rules.fault", { line: first.line, text: first.text })} ${ruleTexts[currentLanguage()][first.reason]}`
            }
            value={redirects}
            onChange={setRedirects}
            placeholder="/antigua /nueva 301"
          />
        </div>
        <div className="p-5">
          <LinesField
            label={t("project.rules.uncached")}
            hint={t("project.rules.uncachedHint")}
            value={uncached}
            onChange={setUncached}
            placeholder="/tienda/*"
          />
        </div>
        <fieldset className="p-5">
          <legend className="contents text-small font-[600]">{t("project.rules.files")}</legend>
          <p className="mt-1 mb-3 text-small text-ink-3">{t("project.rules.filesHint")}</p>
          {files.map(({ key, name, content }) => (
            <FileEditor
              key={key}
              name={name}
              content={content}
              onChange={(part) => change(key, part)}
              onRemove={() => setFiles((before) => before.filter((file) => file.key !== key))}
            />
          ))}
          {files.length < maxRootFiles && (
            <Button
              size="small"
              type="button"
              onClick={() =>
                setFiles((before) => [...before, { key: (before.at(-1)?.key ?? 0) + 1, name: "", content: "" }])
              }
            >
              {t("project.rules.add")}
            </Button>
          )}
        </fieldset>
        <div className="p-5">
          <Button type="submit" size="small" busy={busy !== undefined}>
            {t("project.rules.save")}
          </Button>
          {fault && (
            <div className="mt-4">
              <ErrorBox>{fault}</ErrorBox>
            </div>
          )}
        </div>
      </form>
    </Card>
  );
}

interface FileProps {
  name: string;
  content: string;
  onChange(part: { name?: string; content?: string }): void;
  onRemove(): void;
}

function FileEditor({ name, content, onChange, onRemove }: FileProps) {
  const { t } = useTranslation();
  return (
    <div className="mb-4 border-b border-line pb-4">
      <Field
        label={t("project.rules.name")}
        value={name}
        placeholder="ads.txt"
        required
        autoCapitalize="off"
        spellCheck={false}
        onChange={({ target }) => onChange({ name: target.value })}
      />
      <LinesField
        label={t("project.rules.content")}
        value={content}
        onChange={(value) => onChange({ content: value })}
      />
      <div className="mt-2">
        <Button size="small" type="button" onClick={onRemove}>
          {t("project.rules.remove")}
          <span className="sr-only">{name}</span>
        </Button>
      </div>
    </div>
  );
}
