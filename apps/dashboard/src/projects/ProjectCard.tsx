import type { Project } from "@nido/contract";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { paths } from "../paths.ts";
import { toneClasses } from "../ui/Badge.tsx";
import { ButtonLink } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { recipeLook } from "../ui/recipeLook.ts";
import { StatusDot } from "../ui/StatusDot.tsx";
import { Troubles } from "./Troubles.tsx";

export const statusDots = { active: "good", provisioning: "waiting", suspended: "bad", failed: "bad" } as const;

/** A static site that shows nothing yet. */
export function isUnpublished({ status, branches }: Project): boolean {
  return status === "active" && branches !== undefined && Object.keys(branches).length === 0;
}

export function ProjectCard({ project }: { project: Project }) {
  const { t } = useTranslation();
  const { icon: Icon, tone } = recipeLook(project.recipe);
  return (
    <Card className="flex h-full flex-col p-5">
      <div className="flex items-center justify-between">
        <span className={`grid size-11 place-items-center rounded-[12px] ${toneClasses(tone)}`}>
          <Icon className="size-[22px]" aria-hidden="true" />
        </span>
        <StatusDot state={isUnpublished(project) ? "waiting" : statusDots[project.status]}>
          {t(`projects.status.${isUnpublished(project) ? "unpublished" : project.status}`)}
        </StatusDot>
      </div>
      <h2 className="mt-5 truncate text-[1.0625rem] font-[640]" title={project.name}>
        <Link to={paths.project(project.id)} className="hover:underline">
          {project.name}
        </Link>
      </h2>
      <p className="text-small text-ink-3">{t(`recipes.${project.recipe}`)}</p>
      <div className="mt-3 empty:hidden">
        <Troubles project={project} />
      </div>
      <div className="mt-auto flex items-center justify-between gap-3 pt-5">
        <a
          href={project.address}
          target="_blank"
          rel="noreferrer"
          className="min-w-0 truncate text-small text-ink-3 hover:underline"
        >
          {new URL(project.address).host}
        </a>
        <ButtonLink size="small" to={paths.project(project.id)}>
          {t("projects.manage")}
          <span className="sr-only">{project.name}</span>
        </ButtonLink>
      </div>
    </Card>
  );
}
