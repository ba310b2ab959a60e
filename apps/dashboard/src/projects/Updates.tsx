import {
  isPagePath,
  maxCheckedPages,
  type Project,
  type SiteUpdates,
  type UpdateItem,
  type UpdateRequest,
} from "@nido/contract";
import { type FormEvent, useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { api, post, put } from "../api/api.ts";
import { useCall } from "../api/useCall.ts";
import { serverPaths } from "../paths.ts";
import { useChange } from "../state/useChange.ts";
import { Badge } from "../ui/Badge.tsx";
import { Button } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { SelectField } from "../ui/Field.tsx";
import { LinesField, linesOf } from "../ui/LinesField.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { Choice } from "./Choice.tsx";
import { isWorking } from "./WorkProgress.tsx";

/** The updates of WordPress, plugins and themes. Each is made after a backup, and undone if pages break. */
export function Updates({ project }: { project: Project }) {
  const { t } = useTranslation();
  const path = serverPaths.updates(project.id);
  const isBusy = isWorking(project);
  const call = useCall(
    useCallback((signal: AbortSignal) => api<SiteUpdates>(path, { signal, timeoutMs: null }), [path]),
  );
  const { retry } = call;
  const wasBusy = useRef(isBusy);
  useEffect(() => {
    // Then something may have been updated.
    if (wasBusy.current && !isBusy) retry();
    wasBusy.current = isBusy;
  }, [isBusy, retry]);
  const { busy, fault, run } = useChange();
  const update = (name: string, request: Partial<UpdateRequest>) => {
    const init = { ...post({ plugins: [], themes: [], ...request }), timeoutMs: null };
    return run(name, () => api(path, init), t("project.updates.started"));
  };
  const idsOf = (items: UpdateItem[]) => ({
    plugins: items.filter(({ kind }) => kind === "plugin").map(({ id }) => id),
    themes: items.filter(({ kind }) => kind === "theme").map(({ id }) => id),
  });
  const found = call.status === "done" ? call.answer : undefined;
  const isDisabled = (name: string) => isBusy || (busy !== undefined && busy !== name);
  const { newest } = found ?? {};

  return (
    <section className="mb-9">
      <h2 className="text-section font-[640]">{t("project.updates.title")}</h2>
      <p className="mt-1 mb-3 max-w-[65ch] text-small text-ink-2">{t("project.updates.intro")}</p>
      {!found && call.status === "loading" && <Skeleton count={1} className="h-[120px]" />}
      {!found && call.status === "failed" && (
        <div className="flex flex-col items-start gap-4">
          <ErrorBox>{t("errors.error_wordpress_silent")}</ErrorBox>
          <Button onClick={call.retry}>{t("common.retry")}</Button>
        </div>
      )}
      {found && (
        <Card>
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line px-5 py-3">
            <div>
              <p className="font-[560]">WordPress {found.version}</p>
              {found.php_versions.length === 0 && <p className="text-small text-ink-3">PHP {found.php}</p>}
            </div>
            {newest && (
              <Button
                size="small"
                look="primary"
                busy={busy === "core"}
                disabled={isDisabled("core")}
                onClick={() => update("core", { core: newest })}
              >
                {t("project.updates.updateTo", { version: newest })}
              </Button>
            )}
          </div>
          {found.php_versions.length > 0 && (
            <PhpVersion
              key={found.php}
              found={found}
              isBusy={busy === "php"}
              disabled={isDisabled("php")}
              onChoose={(php) => update("php", { php })}
            />
          )}
          <Majors path={path} isOn={found.wants_majors} onChanged={call.retry} />
          <CheckedPages path={path} saved={found.checked_pages} />
          {found.items.length === 0 && <p className="px-5 py-4 text-ink-2">{t("project.updates.none")}</p>}
          <ul className="divide-y divide-line">
            {found.items.map((item) => (
              <li key={item.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 py-3">
                <div className="min-w-0">
                  <p className="flex flex-wrap items-center gap-2 font-[560]">
                    <span className="break-words">{item.name}</span>
                    {item.is_automatic && <Badge tone="blue">{t("project.updates.tonight")}</Badge>}
                  </p>
                  <p className="text-small text-ink-3">
                    {t("project.updates.versions", { from: item.version, to: item.new_version })}
                  </p>
                  {item.notice && <p className="max-w-[65ch] text-small break-words text-ink-2">{item.notice}</p>}
                </div>
                <Button
                  size="small"
                  busy={busy === item.id}
                  disabled={isDisabled(item.id)}
                  onClick={() => update(item.id, idsOf([item]))}
                >
                  {t("project.updates.update")}
                  <span className="sr-only">{item.name}</span>
                </Button>
              </li>
            ))}
          </ul>
          {found.items.length > 1 && (
            <div className="border-t border-line px-5 py-3">
              <Button
                size="small"
                busy={busy === "all"}
                disabled={isDisabled("all")}
                onClick={() => update("all", idsOf(found.items))}
              >
                {t("project.updates.updateAll")}
              </Button>
            </div>
          )}
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

/** The version of PHP, where there is a choice. */
function PhpVersion(props: {
  found: SiteUpdates;
  isBusy: boolean;
  disabled: boolean;
  onChoose(version: string): void;
}) {
  const { t } = useTranslation();
  const { php, php_versions: versions } = props.found;
  const current = versions.find((version) => php.startsWith(`${version}.`)) ?? "";
  const [chosen, setChosen] = useState(current);

  function submit(event: FormEvent) {
    event.preventDefault();
    props.onChoose(chosen);
  }

  return (
    <form onSubmit={submit} className="flex flex-wrap items-start gap-3 border-b border-line px-5 py-4">
      <div className="w-[180px]">
        <SelectField label={t("project.updates.php")} value={chosen} onChange={({ target }) => setChosen(target.value)}>
          {versions.map((version) => (
            <option key={version} value={version}>
              {version === current ? t("project.updates.phpCurrent", { version: php }) : version}
            </option>
          ))}
        </SelectField>
      </div>
      <Button
        type="submit"
        size="small"
        className="mt-[29px]"
        busy={props.isBusy}
        disabled={props.disabled || chosen === current}
      >
        {t("project.updates.phpChange")}
      </Button>
    </form>
  );
}

/** Whether the site gets every new WordPress by itself. */
function Majors({ path, isOn, onChanged }: { path: string; isOn: boolean; onChanged(): void }) {
  const { t } = useTranslation();
  const { busy, fault, run } = useChange(onChanged);
  const set = (wanted: boolean) =>
    run("set", () => api(path, put({ wants_majors: wanted })), t("project.care.changed"));
  return (
    <div className="border-b border-line">
      <Choice label={t("project.updates.majors")} isOn={isOn} isBusy={busy !== undefined} onChange={set} />
      {fault && (
        <div className="px-5 pb-3">
          <ErrorBox>{fault}</ErrorBox>
        </div>
      )}
    </div>
  );
}

/** The pages that are looked at before and after an update. */
function CheckedPages({ path, saved }: { path: string; saved: string[] }) {
  const { t } = useTranslation();
  const [text, setText] = useState(saved.join("\n"));
  const { busy, fault, run } = useChange();
  const pages = linesOf(text).map(pathOf);
  const isValid = pages.length <= maxCheckedPages && pages.every(isPagePath);

  function save(event: FormEvent) {
    event.preventDefault();
    if (isValid) void run("save", () => api(path, put({ checked_pages: pages })), t("project.care.changed"));
  }

  return (
    <form onSubmit={save} className="border-b border-line px-5 py-4">
      <LinesField
        label={t("project.updates.pages")}
        hint={t("project.updates.pagesHint")}
        error={isValid ? undefined : t("project.updates.pagesFault")}
        value={text}
        onChange={setText}
        placeholder="/tienda/"
      />
      <div className="mt-2">
        <Button type="submit" size="small" busy={busy !== undefined}>
          {t("project.updates.pagesSave")}
        </Button>
      </div>
      {fault && (
        <div className="mt-4">
          <ErrorBox>{fault}</ErrorBox>
        </div>
      )}
    </form>
  );
}

/** Of an address that was copied from the browser, too. */
function pathOf(line: string): string {
  const url = URL.parse(line, "http://site.invalid");
  return url && /^(https?:\/)?\//.test(line) ? url.pathname + url.search : line;
}
