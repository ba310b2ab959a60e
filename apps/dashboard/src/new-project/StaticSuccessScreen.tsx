import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { CliGuide } from "../app/CliGuide.tsx";
import { paths } from "../app/paths.ts";
import { Page } from "../ui/Page.tsx";

export function StaticSuccessScreen() {
  const { t } = useTranslation();
  const [query] = useSearchParams();
  return (
    <Page
      title={t("newProject.staticSuccessTitle")}
      intro={t("newProject.staticSuccessText")}
      back={{ to: paths.projects, label: t("projects.backToProjects") }}
    >
      <div className="max-w-[720px]">
        <CliGuide project={query.get("domain") ?? "mysite"} />
      </div>
    </Page>
  );
}
