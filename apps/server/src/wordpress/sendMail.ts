import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import { z } from "zod";
import { findRunning } from "./queries.ts";
import { siteFolder } from "./siteFolder.ts";
import type { WordPress } from "./WordPress.ts";

const letter = z.object({
  recipients: z.array(z.email()).min(1).max(50),
  mime: z.base64(),
});
const largest = 30 * 2 ** 20;
const mostAtOnce = 20;
const threeDays = 3 * 24 * 60 * 60 * 1000;

export interface Post {
  /** smtp:// or smtps://, with user and password; undefined: mail stays where it is */
  url: string | undefined;
  /** whom the mail server knows as the sender */
  from: string;
}

/** Hands the mail of all sites to the mail server, a few of each site at a time; what cannot be sent for days is dropped. */
export async function sendMail({ db, dataDir, log }: WordPress, { url, from }: Post) {
  const server = url
    ? createTransport({ url, pool: true, connectionTimeout: 10_000, socketTimeout: 20_000 })
    : undefined;
  try {
    for (const { id } of await findRunning(db)) {
      const { mail } = siteFolder(dataDir, id);
      const names = (await readdir(mail).catch(() => [])).filter((name) => name.endsWith(".json"));
      for (const name of names.slice(0, mostAtOnce)) {
        const file = join(mail, name);
        const { size, mtimeMs } = await stat(file);
        const isOld = Date.now() - mtimeMs > threeDays;
        try {
          if (size > largest) throw new Error("it is too large");
          const { recipients, mime } = letter.parse(JSON.parse(await readFile(file, "utf8")));
          if (!server && !isOld) continue;
          await server?.sendMail({ envelope: { from, to: recipients }, raw: Buffer.from(mime, "base64") });
          await rm(file);
        } catch (error) {
          log.warn({ err: error, project: id }, "a mail was not sent");
          if (isOld || error instanceof z.ZodError || error instanceof SyntaxError || size > largest) await rm(file);
        }
      }
    }
  } finally {
    server?.close();
  }
}
