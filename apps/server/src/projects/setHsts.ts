import type { ActionPayloads } from "@nido/contract";
import type { Activity } from "../activity/record.ts";
import type { Tx } from "../db/connect.ts";
import { AppError } from "../platform/AppError.ts";
import { setHstsOfOwn } from "./queries.ts";

/** Switches HSTS on or off for a customer's site: browsers that have visited it then use HTTPS only. */
export async function setHsts(
  tx: Tx,
  userId: string,
  { project_id, enabled: on }: ActionPayloads["SET_HSTS"],
): Promise<Activity> {
  const project = await setHstsOfOwn(tx, userId, project_id, on);
  if (!project) throw new AppError("error_project_not_found");
  return { kind: "hstsChanged", params: { project: project.name, on }, projectId: project.id };
}
