import type { Project } from "@nido/contract";
import { useTranslation } from "react-i18next";
import { paths } from "../paths.ts";
import { toneClasses } from "../ui/Badge.tsx";
import { ButtonLink } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { recipeLook } from "../ui/recipeLook.ts";
import { StatusDot } from "../ui/StatusDot.tsx";
import { Troubles } from "./Troubles.tsx";

export const statusDots = { active: "good", provisioning: "waiting", suspended: "bad", failed: "bad" } as const;

export function ProjectCard({ project }: { project: Project }) {
  const { t } = useTranslation();
  const { icon: Icon, tone } = recipeLook(project.recipe);
  return (
    <Card className="flex h-full flex-col p-5">
      <div className="flex items-center justify-between">
        <span className={`grid size-11 place-items-center rounded-[12px] ${toneClasses(tone)}`}>
          <Icon className="size-[22px]" aria-hidden="true" />
        </span>
        <StatusDot state={statusDots[project.status]}>{t(`projects.status.${project.status}`)}</StatusDot>
      </div>
      <h2 className="mt-5 truncate text-[17px] font-[640]" title={project.name}>
        {project.name}
      </h2>
      <p className="text-small text-ink-3">{t(`recipes.${project.recipe}`)}</p>
      <div className="mt-3 empty:hidden">
        <Troubles project={project} />
      </div>
      <div className="mt-auto flex items-center justify-between gap-3 pt-5">
        <p className="min-w-0 truncate text-small text-ink-3">{new URL(project.address).host}</p>
        <ButtonLink size="small" to={paths.project(project.id)}>
          {t("projects.manage")}
          <span className="sr-only">{project.name}</span>
        </ButtonLink>
      </div>
    </Card>
  );
}
