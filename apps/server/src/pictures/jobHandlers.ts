import { announceChange } from "../db/announceChange.ts";
import type { Db } from "../db/connect.ts";
import { handleJob, type JobHandler } from "../jobs/defineJob.ts";
import { enqueue } from "../jobs/enqueue.ts";
import type { SiteAddresses } from "../platform/SiteAddresses.ts";
import { hostOf } from "./findPage.ts";
import { renewPicturesJob, takePictureJob } from "./jobs.ts";
import { findOutdated, findPicturable, storePicture } from "./queries.ts";
import { canTakePictures, takePicture } from "./takePicture.ts";

const renewedPerNight = 500;

export function pictureJobHandlers(db: Db, sites: SiteAddresses): JobHandler[] {
  return [
    handleJob(takePictureJob, async ({ projectId }) => {
      const project = canTakePictures() ? await findPicturable(db, projectId) : undefined;
      if (!project) return;
      const url = new URL(`${sites.scheme}//${project.name}.${sites.domain}`);
      // Plain HTTP redirects to HTTPS, and a controlled domain to the primary one.
      const hosts = [url.host, ...project.domains.map((domain) => `${domain}${url.port && `:${url.port}`}`)];
      const names = hosts.flatMap((host) => [hostOf(new URL(`http://${host}`)), hostOf(new URL(`https://${host}`))]);
      // Names below `localhost` are this machine (RFC 6761); not every resolver knows it.
      const target = /(^|\.)localhost$/.test(url.hostname) ? "127.0.0.1" : url.hostname;
      const picture = await takePicture(url.href, { names, target });
      if (!picture) return;
      await storePicture(db, projectId, picture);
      await db.transaction((tx) => announceChange(tx, project.userId));
    }),
    handleJob(renewPicturesJob, async () => {
      if (!canTakePictures()) return;
      for (const projectId of await findOutdated(db, renewedPerNight)) await enqueue(db, takePictureJob, { projectId });
    }),
  ];
}
