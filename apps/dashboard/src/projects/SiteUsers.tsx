import type { Project, SiteUser, SiteUsers as Users } from "@nido/contract";
import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { api, post } from "../api/api.ts";
import { useCall } from "../api/useCall.ts";
import { serverPaths } from "../paths.ts";
import { useChange } from "../state/useChange.ts";
import { Button } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";

/** Those who can change something in WordPress. If somebody else knows their password, it can be ended here. */
export function SiteUsers({ project }: { project: Project }) {
  const { t } = useTranslation();
  const path = serverPaths.users(project.id);
  const call = useCall(useCallback((signal) => api<Users>(path, { signal, timeoutMs: null }), [path]));
  const [asked, setAsked] = useState<SiteUser[]>();
  const users = call.status === "done" ? call.answer.users : undefined;
  return (
    <section className="mb-9">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-section font-[640]">{t("project.users.title")}</h2>
        {users && users.length > 1 && (
          <Button size="small" look="danger" onClick={() => setAsked(users)}>
            {t("project.users.resetAll")}
          </Button>
        )}
      </div>
      {call.status === "loading" && <Skeleton count={1} className="h-[80px]" />}
      {call.status === "failed" && (
        <div className="flex flex-col items-start gap-4">
          <ErrorBox>{t("errors.error_wordpress_silent")}</ErrorBox>
          <Button onClick={call.retry}>{t("common.retry")}</Button>
        </div>
      )}
      {users && (
        <Card>
          {users.length === 0 && <p className="p-5 text-ink-2">{t("project.users.none")}</p>}
          <ul className="divide-y divide-line">
            {users.map((user) => (
              <li key={user.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 py-3">
                <div className="min-w-0">
                  <p className="font-[560] break-words">{user.login}</p>
                  <p className="text-small break-words text-ink-3">
                    {[user.role, user.email].filter(Boolean).join(" · ")}
                  </p>
                </div>
                <Button size="small" onClick={() => setAsked([user])}>
                  {t("project.users.reset")}
                  <span className="sr-only">{user.login}</span>
                </Button>
              </li>
            ))}
          </ul>
        </Card>
      )}
      {asked && <ResetDialog path={path} users={asked} onClose={() => setAsked(undefined)} />}
    </section>
  );
}

function ResetDialog({ path, users, onClose }: { path: string; users: SiteUser[]; onClose(): void }) {
  const { t } = useTranslation();
  const { busy, fault, run } = useChange(onClose);
  const init = { ...post({ reset: users.map(({ id }) => id) }), timeoutMs: null };
  const reset = () => run("reset", () => api(path, init), t("project.users.done"));
  const [only] = users;
  const note = users.length === 1 && only ? t("project.users.ask", { name: only.login }) : t("project.users.askAll");
  return (
    <Dialog title={t("project.users.reset")} note={note} closeLabel={t("common.close")} onClose={onClose}>
      <div className="flex justify-end gap-3">
        <Button onClick={onClose}>{t("common.cancel")}</Button>
        <Button look="danger" busy={busy !== undefined} onClick={reset}>
          {t("project.users.reset")}
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
