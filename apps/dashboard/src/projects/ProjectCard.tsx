import type { Project } from "@nido/contract";
import { useTranslation } from "react-i18next";
import { paths } from "../paths.ts";
import { Badge, toneClasses } from "../ui/Badge.tsx";
import { ButtonLink } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { recipeLook } from "../ui/recipeLook.ts";

export function ProjectCard({ project }: { project: Project }) {
  const { t } = useTranslation();
  const { icon: Icon, tone, label, plan } = recipeLook(project.recipe);
  return (
    <Card className="flex h-full flex-col p-5">
      <div className="flex items-center justify-between">
        <span className={`grid size-11 place-items-center rounded-[12px] ${toneClasses(tone)}`}>
          <Icon className="size-[22px]" aria-hidden="true" />
        </span>
        {project.status === "active" ? (
          <Badge tone={tone}>{plan}</Badge>
        ) : (
          <Badge tone="neutral">{t(`projects.status.${project.status}`)}</Badge>
        )}
      </div>
      <h2 className="mt-5 truncate text-[17px] font-[640]" title={project.name}>
        {project.name}
      </h2>
      <p className="text-small text-ink-3">{label}</p>
      <div className="mt-5 flex items-center justify-between gap-3">
        <p className="min-w-0 truncate text-small text-ink-3">{new URL(project.url).host}</p>
        <ButtonLink size="small" to={paths.project(project.id)}>
          {t("projects.manage")}
          <span className="sr-only">{project.name}</span>
        </ButtonLink>
      </div>
    </Card>
  );
}
