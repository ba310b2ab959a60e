import { categoryOf, type Domain, type Project } from "@nido/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate, useSearchParams } from "react-router";
import { paths } from "../paths.ts";
import { useAction, useProject } from "../state/store.ts";
import { useErrorText } from "../state/useErrorText.ts";
import { useWhenDone } from "../state/useWhenDone.ts";
import { Button } from "../ui/Button.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Page } from "../ui/Page.tsx";

interface Props {
  project: Project;
  id: string;
  domain: Domain;
}

export function DeleteDomainScreen() {
  const [query] = useSearchParams();
  const ids = { projectId: query.get("project") ?? "", id: query.get("domain") ?? "" };
  return <DeleteDomain key={`${ids.projectId} ${ids.id}`} {...ids} />;
}

function DeleteDomain({ projectId, id }: { projectId: string; id: string }) {
  const { t } = useTranslation();
  const project = useProject(projectId);
  // It vanishes from the state a moment before the screen is left.
  const [domain] = useState(() => Object.entries(project?.domains ?? {}).find(([key]) => key === id)?.[1]);
  if (!project || !domain) {
    const back = { to: paths.projects, label: t("common.back") };
    return <Page title={t("domains.deleteTitle")} intro={t("domains.chooseFirst")} back={back} />;
  }
  return (
    <Page
      title={t("domains.deleteTitle")}
      intro={t("domains.deleteIntro", { domain: domain.name, project: project.name })}
      back={{ to: paths.projectTab(project.id, "configuration"), label: t("common.back") }}
    >
      <Dependants project={project} domain={domain} />
      <DeleteDomainForm project={project} id={id} />
    </Page>
  );
}

/** What goes with the domain, or changes without it. */
function Dependants({ project, domain }: Omit<Props, "id">) {
  const { t } = useTranslation();
  const redirecting = Object.values(project.domains).filter((other) => other.redirects_to === domain.domain);
  const isPrimary = domain.primary && categoryOf(project.recipe) === "wordpress";
  if (!isPrimary && redirecting.length === 0) return null;
  return (
    <ul className="mb-6 list-disc space-y-1.5 pl-5 text-ink-2">
      {isPrimary && <li>{t("domains.deletePrimary", { domain: new URL(project.url).host })}</li>}
      {redirecting.map(({ name }) => (
        <li key={name}>{t("domains.deleteRedirect", { domain: name })}</li>
      ))}
    </ul>
  );
}

function DeleteDomainForm({ project, id }: Omit<Props, "domain">) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const errorText = useErrorText();
  const action = useAction("DELETE_DOMAIN");
  const { trigger, inProgress, error } = action;
  useWhenDone(action, () => navigate(-1));

  return (
    <div className="flex max-w-[520px] flex-col gap-4">
      {error && <ErrorBox>{errorText(error.error)}</ErrorBox>}
      <div className="flex gap-3">
        <Button disabled={inProgress} onClick={() => navigate(-1)}>
          {t("common.cancel")}
        </Button>
        <Button look="danger" busy={inProgress} onClick={() => trigger({ project_id: project.id, domain_id: id })}>
          {t(inProgress ? "domains.deleting" : "domains.delete")}
        </Button>
      </div>
    </div>
  );
}
