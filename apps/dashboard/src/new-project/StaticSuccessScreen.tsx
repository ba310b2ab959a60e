import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { paths } from "../paths.ts";
import { useProjects, useSettings } from "../state/store.ts";
import { ButtonAnchor, ButtonLink } from "../ui/Button.tsx";
import { CliGuide } from "../ui/CliGuide.tsx";
import { Page } from "../ui/Page.tsx";
import { Spinner } from "../ui/Spinner.tsx";
import { useCheckoutDraft } from "./useCheckoutDraft.ts";

const usualWaitMs = 30_000;

/** Shown after the payment. The project appears once the provider's webhook is processed, usually within a second. */
export function StaticSuccessScreen() {
  const { t } = useTranslation();
  const { domain: name } = useCheckoutDraft();
  const project = Object.values(useProjects()).find((own) => own.name === name);
  const isWaiting = name !== undefined && !project;
  const actions = project && (
    <div className="flex flex-wrap gap-3">
      <ButtonAnchor href={project.url} target="_blank" rel="noopener">
        {t("project.visit")}
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
        {isWaiting && <Waiting />}
        <CliGuide project={name ?? "mysite"} />
      </div>
    </Page>
  );
}

function Waiting() {
  const { t } = useTranslation();
  const { support_email: email } = useSettings();
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLong(true), usualWaitMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role="status" className="mb-6 text-ink-2">
      <p className="flex items-center gap-3">
        <Spinner />
        {t("newProject.staticWaitingText")}
      </p>
      {isLong && (
        <p className="mt-3">
          {t("newProject.staticWaitingLong")}{" "}
          <a href={`mailto:${email}`} className="underline underline-offset-2">
            {t("newProject.contact")}
          </a>
        </p>
      )}
    </div>
  );
}
