import { lstat, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import { z } from "zod";
import { findRunning } from "../queries.ts";
import { siteFolder } from "../siteFolder.ts";
import type { WordPress } from "../WordPress.ts";

const messageSchema = z.object({
  recipients: z.array(z.email()).min(1).max(50),
  mime: z.base64(),
});
const maxMessageBytes = 30 * 2 ** 20;
const maxPerSite = 20;
const maxAge = 3 * 24 * 60 * 60 * 1000;

type Transport = ReturnType<typeof createTransport>;

export interface Mailer {
  /** smtp:// or smtps://, with user and password; undefined: messages stay in their folders */
  smtpUrl: string | undefined;
  /** the envelope sender */
  from: string;
}

/** Sends the mail of all sites by SMTP, a few messages of each site at a time. Old messages are deleted. */
export async function sendMail({ db, dataDir, log }: WordPress, { smtpUrl, from }: Mailer) {
  const server = smtpUrl
    ? createTransport({ url: smtpUrl, pool: true, connectionTimeout: 10_000, socketTimeout: 20_000 })
    : undefined;
  try {
    for (const { id } of await findRunning(db)) {
      const { mail } = siteFolder(dataDir, id);
      const names = (await readdir(mail).catch(() => [])).filter((name) => name.endsWith(".json"));
      for (const name of names.slice(0, maxPerSite)) {
        const result = await sendOne(join(mail, name), server, from);
        if (result instanceof Error) log.warn({ err: result, project: id }, "could not send a message of a site");
        // The SMTP server is unreachable: the rest waits for the next run.
        if (result === "unreachable") return;
      }
    }
  } finally {
    server?.close();
  }
}

/** Sends one message and deletes it. A message that can never be sent is deleted, too. */
async function sendOne(
  file: string,
  server: Transport | undefined,
  from: string,
): Promise<"sent" | "unreachable" | Error> {
  try {
    const { size, mtimeMs, isFile } = await lstat(file).then((found) => ({ ...found, isFile: found.isFile() }));
    if (!isFile) return new Error("the message is not a regular file");
    const isOld = Date.now() - mtimeMs > maxAge;
    if (size > maxMessageBytes || isOld) {
      await rm(file);
      return new Error(
        size > maxMessageBytes ? "the message is too large" : "the message could not be sent for three days",
      );
    }
    const parsed = messageSchema.safeParse(parse(await readFile(file, "utf8")));
    if (!parsed.success) {
      await rm(file);
      return new Error("the message is malformed");
    }
    if (!server) return "unreachable";
    const { recipients, mime } = parsed.data;
    await server.sendMail({ envelope: { from, to: recipients }, raw: Buffer.from(mime, "base64") });
    await rm(file);
    return "sent";
  } catch (error) {
    const { responseCode = 0, code = "" } = error as { responseCode?: number; code?: string };
    if (/^(ECONNECTION|ETIMEDOUT|ESOCKET|EDNS|EAUTH)$/.test(code)) return "unreachable";
    // A permanent failure by SMTP status.
    if (responseCode >= 500) await rm(file, { force: true });
    return error as Error;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
