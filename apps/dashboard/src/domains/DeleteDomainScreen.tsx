import type { Domain, Project } from "@nido/contract";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate } from "react-router";
import { paths } from "../paths.ts";
import { useAction } from "../state/store.ts";
import { useErrorText } from "../state/useErrorText.ts";
import { useWhenDone } from "../state/useWhenDone.ts";
import { Button } from "../ui/Button.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Page } from "../ui/Page.tsx";

interface NavigationState {
  project: Project;
  domain_id: string;
  domain_name: string;
}

export function DeleteDomainScreen() {
  const { t } = useTranslation();
  const state = useLocation().state as NavigationState | null;
  if (!state?.project) {
    const back = { to: paths.projects, label: t("common.back") };
    return <Page title={t("domains.deleteTitle")} intro={t("domains.chooseFirst")} back={back} />;
  }
  return (
    <Page
      title={t("domains.deleteTitle")}
      intro={t("domains.deleteIntro", { domain: state.domain_name, project: state.project.name })}
      back={{ to: paths.projectTab(state.project.id, "configuration"), label: t("common.back") }}
    >
      <Dependants {...state} />
      <DeleteDomainForm {...state} />
    </Page>
  );
}

/** What goes with the domain, or changes without it. */
function Dependants({ project, domain_id }: NavigationState) {
  const { t } = useTranslation();
  const domain: Domain | undefined = project.domains[domain_id];
  const redirecting = Object.values(project.domains).filter((other) => other.redirects_to === domain?.domain);
  if (!domain || (!domain.primary && redirecting.length === 0)) return null;
  return (
    <ul className="mb-6 list-disc space-y-1.5 pl-5 text-ink-2">
      {domain.primary && <li>{t("domains.deletePrimary", { domain: new URL(project.url).host })}</li>}
      {redirecting.map(({ name }) => (
        <li key={name}>{t("domains.deleteRedirect", { domain: name })}</li>
      ))}
    </ul>
  );
}

function DeleteDomainForm({ project, domain_id }: NavigationState) {
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
        <Button look="danger" busy={inProgress} onClick={() => trigger({ project_id: project.id, domain_id })}>
          {t(inProgress ? "domains.deleting" : "domains.delete")}
        </Button>
      </div>
    </div>
  );
}
