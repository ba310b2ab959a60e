import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { CliGuide } from "../app/CliGuide.tsx";
import { paths } from "../app/paths.ts";
import { useProjects } from "../app/store.ts";
import { ButtonAnchor, ButtonLink } from "../ui/Button.tsx";
import { Page } from "../ui/Page.tsx";
import { Spinner } from "../ui/Spinner.tsx";

/** The payment is made; the project comes with the provider's word for it, mostly within a second. */
export function StaticSuccessScreen() {
  const { t } = useTranslation();
  const [query] = useSearchParams();
  const name = query.get("domain");
  const project = Object.values(useProjects()).find((own) => own.name === name);
  const isWaiting = name !== null && !project;
  const actions = project && (
    <div className="flex flex-wrap gap-3">
      <ButtonAnchor href={project.url} target="_blank" rel="noopener">
        {t("projects.visit")}
      </ButtonAnchor>
      <ButtonLink look="primary" to={paths.project(project.id)}>
        {t("projects.manage")}
      </ButtonLink>
    </div>
  );
  return (
    <Page
      title={t(isWaiting ? "newProject.staticWaitingTitle" : "newProject.staticSuccessTitle")}
      intro={t("newProject.staticSuccessText")}
      back={{ to: paths.projects, label: t("projects.backToProjects") }}
      action={actions}
    >
      <div className="max-w-[720px]">
        {isWaiting && (
          <p role="status" className="mb-6 flex items-center gap-3 text-ink-2">
            <Spinner />
            {t("newProject.staticWaitingText")}
          </p>
        )}
        <CliGuide project={name ?? "mysite"} />
      </div>
    </Page>
  );
}
