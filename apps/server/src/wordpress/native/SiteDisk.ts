import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { mkdir, mkdtemp, open, rename, rm, truncate } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The image is larger than the plan by this factor, because ext4 needs some space for itself. */
const overhead = 1.03;
const bytesPerInode = 16_384;
const journalMegabytes = 8;
// A site's folder needs no devices and no programs: PHP only reads its scripts.
const mountOptions = "loop,nosuid,nodev,noexec,noatime";

/**
 * The disk of each site: a file with an ext4 file system, mounted over the site's folder. Its size and its number of
 * inodes limit the site at every write. The file is sparse, so it occupies only what the site has written.
 */
export class SiteDisk {
  private readonly images: string;
  private readonly sites: string;

  constructor(images: string, sites: string) {
    this.images = images;
    this.sites = sites;
  }

  /** Why this machine cannot have such disks; undefined if it can. */
  async whyUnavailable(): Promise<string | undefined> {
    const folder = await mkdtemp(join(this.images, "probe-"));
    const [image, place] = [join(folder, "image"), join(folder, "mounted")];
    try {
      await mkdir(place);
      await createImage(image, 2 ** 25);
      await run("mount", ["-o", mountOptions, image, place]);
      await run("umount", ["--lazy", place]);
      return undefined;
    } catch (error) {
      return (error as Error).message.trim().split("\n").at(-1);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Creates and mounts the disk if needed, and resizes it if the plan has changed. No process of the site may run. */
  async prepare(siteId: string, bytes: number) {
    const image = this.imageOf(siteId);
    const size = Math.ceil((bytes * overhead) / 4096) * 4096;
    const current = statSync(image, { throwIfNoEntry: false })?.size;
    if (current === undefined) await createImage(image, size);
    // A visitor's slow download keeps it mounted: it is resized at the next start. What holds more keeps its size.
    else if (current !== size) await this.resize(siteId, current, size).catch((error) => console.error(error.message));
    await this.mount(siteId);
    // Only root could read it. e2fsck creates it again if it ever needs it.
    await rm(join(this.sites, siteId, "lost+found"), { recursive: true, force: true });
  }

  /** Mounts the disk of a site that has one. After a restart of the machine none is mounted. */
  async mount(siteId: string) {
    const place = join(this.sites, siteId);
    await mkdir(place, { recursive: true });
    if (!this.isMounted(siteId)) await run("mount", ["-o", mountOptions, this.imageOf(siteId), place]);
  }

  async remove(siteId: string) {
    // Lazily: a process that still reads a file of the site must not keep it from being removed.
    if (this.isMounted(siteId)) await run("umount", ["--lazy", join(this.sites, siteId)]);
    await rm(this.imageOf(siteId), { force: true });
  }

  imageOf(siteId: string): string {
    return join(this.images, `${siteId}.ext4`);
  }

  private isMounted(siteId: string): boolean {
    const place = statSync(join(this.sites, siteId), { throwIfNoEntry: false });
    return place !== undefined && place.dev !== statSync(this.sites).dev;
  }

  /** Unmounts the disk first, because only the most privileged processes may resize a file system in use. */
  private async resize(siteId: string, current: number, size: number) {
    const image = this.imageOf(siteId);
    if (this.isMounted(siteId)) await run("umount", [join(this.sites, siteId)]);
    await run("e2fsck", ["-f", "-p", image]).catch((error) => {
      if (error.code !== 1) throw error; // 1: it corrected something, such as the missing lost+found
    });
    if (current < size) await truncate(image, size);
    await run("resize2fs", [image, `${size / 1024}K`]);
    if (current > size) await truncate(image, size);
  }
}

async function createImage(image: string, size: number) {
  const unfinished = `${image}.new`;
  await rm(unfinished, { force: true });
  const file = await open(unfinished, "wx", 0o600);
  await file.truncate(size);
  await file.close();
  const options = ["-q", "-m", "0", "-i", String(bytesPerInode), "-J", `size=${journalMegabytes}`];
  await run("mkfs.ext4", [
    ...options,
    "-E",
    "lazy_itable_init=1,lazy_journal_init=1,nodiscard,root_owner=0:0",
    unfinished,
  ]);
  await rename(unfinished, image);
}
