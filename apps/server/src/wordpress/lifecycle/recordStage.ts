import { type Task, taskMessages } from "@nido/contract";
import { lockUser } from "../../account/queries.ts";
import { platform, record } from "../../activity/record.ts";
import { announceChange } from "../../db/announceChange.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import { mailCustomer } from "../../mail/queueMail.ts";
import { takePictureJob } from "../../pictures/jobs.ts";
import { setDiskUsed, setProjectStatus } from "../../projects/queries.ts";
import { findTask, updateTask } from "../../tasks/queries.ts";
import { lockProvisioning } from "../queries.ts";
import type { WordPress } from "../WordPress.ts";

export type Stage = (typeof taskMessages)[number];

const progressAt: Record<Stage, number> = {
  initializing_database: 0.1,
  initializing_wordpress: 0.25,
  installing_wordpress: 0.4,
  wordpress_ready: 0.9,
  done: 1,
};

/** What a customer sees of a finished task. */
export const finishedProgress = taskMessages.map((message) => ({ message, progress: progressAt[message] }));

/** The project was deleted while its WordPress was being installed. */
export class ProvisioningCancelled extends Error {
  override name = "ProvisioningCancelled";
}

/** Records the stage in the customer's task. The last stage also activates the project, in the same transaction. */
export async function recordStage(
  { db, runtime, urlOf }: WordPress,
  { id, userId, name }: { id: string; userId: string; name: string },
  taskId: string,
  stage: Stage,
) {
  const diskUsed = stage === "done" ? await runtime.diskUse(id) : 0;
  await db.transaction(async (tx) => {
    await lockUser(tx, userId);
    if (!(await lockProvisioning(tx, id))) throw new ProvisioningCancelled();
    const recorded = (await findTask(tx, taskId))?.progress ?? [];
    const reached = taskMessages.indexOf(stage) + 1;
    // A repeated attempt never shows less progress than an earlier one did.
    const progress = taskMessages
      .slice(0, Math.max(reached, recorded.length))
      .map((message) => ({ message, progress: progressAt[message] }));
    const task: Task = { state: stage === "done" ? "completed" : "running", progress };
    await updateTask(tx, taskId, task);
    if (stage === "done") {
      await setProjectStatus(tx, id, "active");
      await setDiskUsed(tx, id, diskUsed);
      const params = { projectId: id, name, url: urlOf(name), category: "wordpress" } as const;
      await mailCustomer(tx, userId, "siteReady", params, `ready ${id}`);
      await enqueue(tx, takePictureJob, { projectId: id });
      await record(tx, userId, platform, { kind: "siteReady", params: { project: name }, projectId: id });
    }
    await announceChange(tx, userId);
  });
}
