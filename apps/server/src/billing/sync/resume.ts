import { platform, record } from "../../activity/record.ts";
import type { Config } from "../../config/parseConfig.ts";
import type { Tx } from "../../db/connect.ts";
import { mailCustomer } from "../../mail/queueMail.ts";
import { resumeProjectOf } from "../../projects/queries.ts";
import { isDisputed } from "../disputes.ts";

/** Resumes a suspended site, because its debt was paid or a dispute was won, unless another dispute suspends it. */
export async function resume(
  tx: Tx,
  { APP_URL, SITES_DOMAIN }: Pick<Config, "APP_URL" | "SITES_DOMAIN">,
  subId: string,
  message: "restored" | "disputeWon",
) {
  if (await isDisputed(tx, subId)) return;
  const project = await resumeProjectOf(tx, subId);
  if (!project) return;
  const { id: projectId, userId, name } = project;
  await record(tx, userId, platform, { kind: "projectResumed", params: { project: name }, projectId });
  await mailCustomer(tx, userId, message, { projectId, name, url: `${APP_URL.protocol}//${name}.${SITES_DOMAIN}` });
}
