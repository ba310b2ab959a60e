import type { Project } from "@nido/contract";
import { FileAccess } from "./FileAccess.tsx";
import { SiteCommands } from "./SiteCommands.tsx";
import { SiteDatabase } from "./SiteDatabase.tsx";
import { SiteRules } from "./SiteRules.tsx";
import { WordPressMaking } from "./WordPressMaking.tsx";

/** What those use who build or repair WordPress sites. */
export function ToolsTab({ project }: { project: Project }) {
  if (project.status !== "active") return <WordPressMaking project={project} />;
  return (
    <>
      <SiteRules project={project} />
      <FileAccess project={project} />
      <SiteCommands project={project} />
      <SiteDatabase project={project} />
    </>
  );
}
