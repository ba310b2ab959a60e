import type { Project } from "@nido/contract";
import { TroubleLine } from "./TroubleLine.tsx";
import { useTroubles } from "./useTroubles.ts";

/** What the owner should know, each with a link to where it is mended. */
export function Troubles({ project }: { project: Project }) {
  return useTroubles(project).map((trouble) => <TroubleLine key={trouble.id} {...trouble} />);
}
