import type { PluginSwitch, Project, SitePlugin, SitePlugins } from "@nido/contract";
import { useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { api, put } from "../api/api.ts";
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
import { isWorking } from "./WorkProgress.tsx";

/** The plugins of a WordPress site. They can be turned off although one of them has broken the site. */
export function Plugins({ project }: { project: Project }) {
  const { t } = useTranslation();
  const path = serverPaths.plugins(project.id);
  const loading = useCall(useCallback((signal) => api<SitePlugins>(path, { signal, timeoutMs: null }), [path]));
  const [changed, setChanged] = useState<SitePlugins>();
  const { retry } = loading;
  const isBusy = isWorking(project);
  const wasBusy = useRef(isBusy);
  useEffect(() => {
    // Then there may be other plugins.
    if (wasBusy.current && !isBusy) {
      setChanged(undefined);
      retry();
    }
    wasBusy.current = isBusy;
  }, [isBusy, retry]);
  const { busy, fault, run } = useChange();
  const site = changed ?? (loading.status === "done" ? loading.answer : undefined);

  async function change(name: string, switched: Partial<PluginSwitch>) {
    const init = { ...put({ on: [], off: [], ...switched }), timeoutMs: null };
    // Inside, so that the focus is kept if the button vanishes.
    await run(name, async () => setChanged(await api<SitePlugins>(path, init)), t("project.care.changed"));
  }

  const plugins = site?.plugins ?? [];
  const active = plugins.filter(({ is_active }) => is_active).map(({ id }) => id);
  const resting = plugins.filter(({ is_active, can_activate }) => !is_active && can_activate).map(({ id }) => id);
  const automate = ({ id, is_automatic: isOn }: SitePlugin) =>
    change(`automatic ${id}`, isOn ? { automatic_off: [id] } : { automatic_on: [id] });
  const toggle = ({ id, is_active: isOn }: SitePlugin) => change(id, isOn ? { off: [id] } : { on: [id] });

  return (
    <section className="mb-9">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-section font-[640]">{t("project.care.plugins")}</h2>
        <div className="flex flex-wrap gap-3">
          {resting.length > 0 && (
            <Button
              size="small"
              busy={busy === "on"}
              disabled={busy !== undefined && busy !== "on"}
              onClick={() => change("on", { on: resting })}
            >
              {t("project.care.allOn")}
            </Button>
          )}
          {active.length > 1 && (
            <Button
              size="small"
              look="danger"
              busy={busy === "off"}
              disabled={busy !== undefined && busy !== "off"}
              onClick={() => change("off", { off: active })}
            >
              {t("project.care.allOff")}
            </Button>
          )}
        </div>
      </div>
      {site?.fatal && <Fatal fatal={site.fatal} />}
      {fault && (
        <div className="mb-4">
          <ErrorBox>{fault}</ErrorBox>
        </div>
      )}
      {!site && loading.status === "loading" && <Skeleton count={1} className="h-[120px]" />}
      {!site && loading.status === "failed" && (
        <div className="flex flex-col items-start gap-4">
          <ErrorBox>{t("errors.error_wordpress_silent")}</ErrorBox>
          <Button onClick={loading.retry}>{t("common.retry")}</Button>
        </div>
      )}
      {site && (
        <Card>
          {plugins.length === 0 && <p className="p-5 text-ink-2">{t("project.care.none")}</p>}
          <ul className="divide-y divide-line">
            {plugins.map((plugin) => (
              <li key={plugin.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 py-3">
                <div className="min-w-0">
                  <p className="font-[560] break-words">{plugin.name}</p>
                  <p className="text-small text-ink-3">{t("project.care.version", { version: plugin.version })}</p>
                  <label className="mt-1 flex items-center gap-2 text-small text-ink-2">
                    <input
                      type="checkbox"
                      className="size-4 accent-brand"
                      checked={plugin.is_automatic}
                      aria-disabled={busy !== undefined}
                      onChange={() => busy === undefined && automate(plugin)}
                    />
                    <span>
                      {t("project.care.automatic")}
                      <span className="sr-only">{plugin.name}</span>
                    </span>
                  </label>
                </div>
                <div className="flex items-center gap-4">
                  <StatusDot state={plugin.is_active ? "good" : "waiting"}>
                    {t(plugin.is_active ? "project.care.on" : "project.care.off")}
                  </StatusDot>
                  {(plugin.is_active || plugin.can_activate) && (
                    <Button
                      size="small"
                      busy={busy === plugin.id}
                      disabled={busy !== undefined && busy !== plugin.id}
                      onClick={() => toggle(plugin)}
                    >
                      {t(plugin.is_active ? "project.care.turnOff" : "project.care.turnOn")}
                      <span className="sr-only">{plugin.name}</span>
                    </Button>
                  )}
                </div>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </section>
  );
}

/** The last fatal error, and what to do about its cause. */
function Fatal({ fatal: { at, message, cause, name } }: { fatal: NonNullable<SitePlugins["fatal"]> }) {
  const { t } = useTranslation();
  const date = formatDateTime(new Date(at * 1000).toISOString(), currentLanguage());
  return (
    <div className="mb-4">
      <ErrorBox>
        <p>{t(`project.care.fatal.${cause}`, { name, date })}</p>
        <p className="mt-1 font-mono break-all">{message}</p>
      </ErrorBox>
    </div>
  );
}
