import { categoryOf, type Project } from "@nido/contract";
import { ExternalLink } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useSubscriptions } from "../state/store.ts";
import { useDebt } from "../state/useDebt.ts";
import { ButtonAnchor } from "../ui/Button.tsx";
import { CliGuide } from "../ui/CliGuide.tsx";
import { CopyLine } from "../ui/CopyLine.tsx";
import { Row, Rows } from "../ui/Rows.tsx";
import { AtAGlance } from "./AtAGlance.tsx";
import { Branches } from "./Branches.tsx";
import { Deploys } from "./Deploys.tsx";
import { SitePicture } from "./SitePicture.tsx";
import { TrafficCharts } from "./TrafficCharts.tsx";
import { Troubles } from "./Troubles.tsx";
import { WordPressActions } from "./WordPressActions.tsx";
import { WordPressMaking } from "./WordPressMaking.tsx";

interface Props {
  project: Project;
  /** the latest changes */
  activity: ReactNode;
  /** where files are dropped, for a static site */
  publish: ReactNode;
}

/** The overview of a project: how it looks, its state, its visitors, and what to do with it. */
export function ProjectGeneralTab({ project, activity, publish }: Props) {
  const { t } = useTranslation();
  const isStatic = categoryOf(project.recipe) === "static";
  const isRunning = project.status === "active";
  const debt = useDebt(useSubscriptions()[project.sub_id], project);
  // The line above says why a site is suspended, if its payment is the reason.
  const isExplained = project.status === "suspended" && debt !== undefined;
  const visit = (
    <ButtonAnchor size="small" href={project.address} target="_blank" rel="noreferrer">
      {t("project.visit")}
      <ExternalLink className="size-3.5" aria-hidden="true" />
    </ButtonAnchor>
  );
  return (
    <>
      <Troubles project={project} />
      <div className="mb-9 grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
        <SitePicture project={project} />
        <AtAGlance project={project} />
      </div>
      {!isStatic && isRunning && <WordPressActions project={project} />}
      {!isStatic && !isRunning && !isExplained && (
        <div className="mb-9">
          <WordPressMaking project={project} />
        </div>
      )}
      {isStatic && isRunning && publish}
      {isStatic && <Branches project={project} />}
      {isStatic && <Deploys project={project} />}
      <TrafficCharts project={project} />
      {activity}
      <Rows title={t("project.general")}>
        <Row label={t("project.name")}>{project.name}</Row>
        <Row label={t("project.address")} action={visit}>
          <span className="font-mono text-small break-all">{new URL(project.address).host}</span>
        </Row>
        <Row label={t("project.id")}>
          <CopyLine text={project.id} label={t("project.id")} />
        </Row>
      </Rows>
      {isStatic && <CliGuide project={project.name} isFolded={Object.keys(project.deploys ?? {}).length > 0} />}
    </>
  );
}
