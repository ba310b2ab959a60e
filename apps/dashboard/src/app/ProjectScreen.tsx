import { categoryOf, type Project } from "@nido/contract";
import { useTranslation } from "react-i18next";
import { useParams, useSearchParams } from "react-router";
import { ActivityLog, LatestActivity } from "../activity/ActivityLog.tsx";
import { PlanTab } from "../billing/PlanTab.tsx";
import { paths } from "../paths.ts";
import { ConfigurationTab } from "../projects/ConfigurationTab.tsx";
import { ProjectGeneralTab } from "../projects/ProjectGeneralTab.tsx";
import { ToolsTab } from "../projects/ToolsTab.tsx";
import { WordPressTab } from "../projects/WordPressTab.tsx";
import { PublishDrop } from "../publish/PublishDrop.tsx";
import { useProject } from "../state/store.ts";
import { LinkTabs } from "../ui/LinkTabs.tsx";
import { Page } from "../ui/Page.tsx";

const tabs = {
  general: Overview,
  wordpress: WordPressTab,
  tools: ToolsTab,
  plan: PlanTab,
  configuration: ConfigurationTab,
  activity: ProjectActivity,
};
type Tab = keyof typeof tabs;

export function ProjectScreen() {
  const { t } = useTranslation();
  const { id = "" } = useParams();
  const [query] = useSearchParams();
  const project = useProject(id);
  const back = { to: paths.projects, label: t("projects.backToProjects") };
  if (!project) return <Page title={t("project.notFoundTitle")} intro={t("project.notFoundText")} back={back} />;

  const isWordPress = categoryOf(project.recipe) === "wordpress";
  const names = (Object.keys(tabs) as Tab[]).filter((tab) => isWordPress || (tab !== "wordpress" && tab !== "tools"));
  const current = names.find((name) => name === query.get("tab")) ?? "general";
  const Content = tabs[current];
  return (
    <Page title={project.name} back={back}>
      <LinkTabs
        label={project.name}
        tabs={names.map((tab) => ({
          to: paths.projectTab(id, tab),
          label: t(`project.tabs.${tab}`),
          isCurrent: tab === current,
        }))}
      />
      <Content key={id} project={project} />
    </Page>
  );
}

function Overview({ project }: { project: Project }) {
  return (
    <ProjectGeneralTab
      project={project}
      activity={<LatestActivity project={project.id} />}
      publish={<PublishDrop project={project} />}
    />
  );
}

function ProjectActivity({ project }: { project: Project }) {
  return <ActivityLog project={project.id} />;
}
