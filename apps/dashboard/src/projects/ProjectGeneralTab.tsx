import { categoryOf, type Project } from "@nido/contract";
import { ExternalLink } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Badge } from "../ui/Badge.tsx";
import { ButtonAnchor } from "../ui/Button.tsx";
import { CliGuide } from "../ui/CliGuide.tsx";
import { CopyLine } from "../ui/CopyLine.tsx";
import { Row, Rows } from "../ui/Rows.tsx";
import { recipeLook } from "../ui/recipeLook.ts";
import { Deploys } from "./Deploys.tsx";
import { DiskUse } from "./DiskUse.tsx";
import { WordPressActions } from "./WordPressActions.tsx";
import { WordPressMaking } from "./WordPressMaking.tsx";

export function ProjectGeneralTab({ project }: { project: Project }) {
  const { t } = useTranslation();
  const { tone, label } = recipeLook(project.recipe);
  const visit = (
    <ButtonAnchor size="small" href={project.url} target="_blank" rel="noreferrer">
      {t("project.visit")}
      <ExternalLink className="size-3.5" aria-hidden="true" />
    </ButtonAnchor>
  );
  return (
    <>
      <Rows title={t("project.general")}>
        <Row label={t("project.name")}>{project.name}</Row>
        <Row label={t("project.plan")}>
          <span className="inline-flex flex-wrap items-center gap-2">
            <Badge tone={tone}>{label}</Badge>
            {project.status !== "active" && <Badge tone="neutral">{t(`projects.status.${project.status}`)}</Badge>}
          </span>
        </Row>
        <Row label={t("project.address")} action={visit}>
          <span className="font-mono text-small">{new URL(project.url).host}</span>
        </Row>
        <Row label={t("project.disk")}>
          <DiskUse disk={project.disk} />
        </Row>
        <Row label={t("project.id")}>
          <CopyLine text={project.id} label={t("project.id")} />
        </Row>
      </Rows>
      {categoryOf(project.recipe) === "static" && (
        <>
          <Deploys project={project} />
          <CliGuide project={project.name} />
        </>
      )}
      {categoryOf(project.recipe) === "wordpress" &&
        (project.status === "active" ? <WordPressActions project={project} /> : <WordPressMaking project={project} />)}
    </>
  );
}
