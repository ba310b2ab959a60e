import { useTranslation } from "react-i18next";
import { paths } from "../paths.ts";
import { useProjects } from "../state/store.ts";

export interface Command {
  id: string;
  label: string;
  kind: string;
  /** other words by which it is found */
  words?: string;
  to: string;
}

const settingsTabs = ["general", "security", "products", "referrals", "activity", "data", "support"] as const;

/** Everything that the command palette can open. */
export function useCommands(): Command[] {
  const { t, i18n } = useTranslation();
  const projects = Object.values(useProjects());
  return [
    ...projects.map(({ id, name }) => ({ id, label: name, kind: t("palette.project"), to: paths.project(id) })),
    ...projects.flatMap(({ id: project, domains }) =>
      Object.entries(domains)
        .filter(([, { controlled }]) => !controlled)
        .map(([id, { name }]) => ({
          id,
          label: name,
          kind: t("palette.domain"),
          to: paths.projectTab(project, "configuration"),
        })),
    ),
    { id: "create", label: t("projects.create"), kind: t("palette.action"), to: paths.selectCategory },
    ...projects.map((project) => ({
      id: `domain-${project.id}`,
      label: t("palette.addDomain", { project: project.name }),
      kind: t("palette.action"),
      to: paths.newDomainFor(project.id),
    })),
    { id: "docs", label: t("nav.docs"), kind: t("palette.action"), to: paths.doc(i18n.language) },
    ...settingsTabs.map((tab) => ({
      id: tab,
      label: t(`settings.tabs.${tab}`),
      words: t(`palette.words.${tab}`),
      kind: t("nav.settings"),
      to: paths.settingsTab(tab),
    })),
  ];
}
