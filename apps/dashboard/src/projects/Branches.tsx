import { type Branch, mainBranch, type Project } from "@nido/contract";
import { ExternalLink } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatDateTime } from "../i18n/format.ts";
import { currentLanguage } from "../i18n/language.ts";
import { Badge } from "../ui/Badge.tsx";
import { Button } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { ActionDialog } from "./ActionDialog.tsx";
import { PasswordDialog } from "./PasswordDialog.tsx";

/** A static site's previews: the branches besides main, each with its own address. */
export function Branches({ project }: { project: Project }) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<{ action: "promote" | "password" | "remove"; name: string; branch: Branch }>();
  const { branches = {} } = project;
  const list = Object.entries(branches)
    .filter(([name]) => name !== mainBranch)
    .toSorted(([, a], [, b]) => (a.changed_at < b.changed_at ? 1 : -1));
  const close = () => setAsked(undefined);
  return (
    <>
      {list.length > 0 && (
        <section className="mb-9">
          <h2 className="text-section font-[640]">{t("project.branches.title")}</h2>
          <p className="mt-1 mb-3 max-w-[65ch] text-small text-ink-2">{t("project.branches.hint")}</p>
          <Card>
            <ul className="divide-y divide-line">
              {list.map(([name, branch]) => (
                <li key={name} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3">
                  <div className="min-w-0 flex-1 basis-[240px]">
                    <p className="flex flex-wrap items-center gap-2 font-[560]">
                      {name}
                      {project.passwords?.includes(name) && <Badge tone="blue">{t("project.password.branchOn")}</Badge>}
                    </p>
                    <p className="mt-0.5 text-small text-ink-2">
                      <a href={branch.url} target="_blank" rel="noreferrer" className="break-all underline">
                        {new URL(branch.url).host}
                        <ExternalLink className="ml-1 inline size-3.5" aria-hidden="true" />
                      </a>
                      {" · "}
                      {formatDateTime(branch.changed_at, currentLanguage())}
                    </p>
                  </div>
                  <div className="flex flex-wrap gap-2">
                    {branches[mainBranch]?.deploy !== branch.deploy && (
                      <Button
                        size="small"
                        aria-label={t("project.branches.promoteName", { branch: name })}
                        onClick={() => setAsked({ action: "promote", name, branch })}
                      >
                        {t("project.branches.promote")}
                      </Button>
                    )}
                    <Button
                      size="small"
                      aria-label={t("project.password.branchName", { branch: name })}
                      onClick={() => setAsked({ action: "password", name, branch })}
                    >
                      {t("project.password.branch")}
                    </Button>
                    <Button
                      size="small"
                      aria-label={t("project.branches.removeName", { branch: name })}
                      onClick={() => setAsked({ action: "remove", name, branch })}
                    >
                      {t("project.branches.remove")}
                    </Button>
                  </div>
                </li>
              ))}
            </ul>
          </Card>
        </section>
      )}
      {asked?.action === "promote" && (
        <ActionDialog
          action="PROMOTE"
          payload={{ project_id: project.id, deploy_id: asked.branch.deploy }}
          title={t("project.branches.promote")}
          note={t("project.branches.promoteAsk", { branch: asked.name })}
          onClose={close}
        />
      )}
      {asked?.action === "password" && <PasswordDialog project={project} branch={asked.name} onClose={close} />}
      {asked?.action === "remove" && (
        <ActionDialog
          action="DELETE_BRANCH"
          payload={{ project_id: project.id, branch: asked.name }}
          title={t("project.branches.remove")}
          note={t("project.branches.removeAsk", { branch: asked.name, host: new URL(asked.branch.url).host })}
          look="danger"
          onClose={close}
        />
      )}
    </>
  );
}
