import type { Project } from "@nido/contract";
import { useLocation } from "react-router";
import { paths } from "../paths.ts";
import { TroubleLine } from "../projects/TroubleLine.tsx";
import { useDebtTrouble } from "../projects/useTroubles.ts";
import { useProjects } from "../state/store.ts";

/** Above every screen: what is owed or disputed, unless the screen itself says it. */
export function Debts() {
  const projects = Object.values(useProjects());
  const { pathname, search } = useLocation();
  const tab = new URLSearchParams(search).get("tab") ?? "general";
  const saysAll = pathname === paths.projects || (pathname === paths.settings && tab === "products");
  const saysOne = tab === "general" ? pathname : undefined;
  if (saysAll) return null;
  return projects
    .filter(({ id }) => paths.project(id) !== saysOne)
    .map((project) => <DebtLine key={project.id} project={project} />);
}

function DebtLine({ project }: { project: Project }) {
  const trouble = useDebtTrouble(project);
  return trouble && <TroubleLine {...trouble} of={project.name} />;
}
