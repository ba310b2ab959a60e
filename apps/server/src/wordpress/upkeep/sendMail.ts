import { lstat, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import { z } from "zod";
import { findRunning } from "../queries.ts";
import { siteFolder } from "../siteFolder.ts";
import type { WordPress } from "../WordPress.ts";

const letter = z.object({
  recipients: z.array(z.email()).min(1).max(50),
  mime: z.base64(),
});
const largest = 30 * 2 ** 20;
const mostAtOnce = 20;
const threeDays = 3 * 24 * 60 * 60 * 1000;

type Transport = ReturnType<typeof createTransport>;

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
        const result = await sendOne(join(mail, name), server, from);
        if (result instanceof Error) log.warn({ err: result, project: id }, "a mail was not sent");
        // The server is away: the rest waits for the next time.
        if (result === "away") return;
      }
    }
  } finally {
    server?.close();
  }
}

/** Sends one letter and removes it; removes too what can never be sent. */
async function sendOne(file: string, server: Transport | undefined, from: string): Promise<"sent" | "away" | Error> {
  try {
    const { size, mtimeMs, isFile } = await lstat(file).then((found) => ({ ...found, isFile: found.isFile() }));
    if (!isFile) return new Error("it is no file");
    const isOld = Date.now() - mtimeMs > threeDays;
    if (size > largest || isOld) {
      await rm(file);
      return new Error(size > largest ? "it is too large" : "it waited for too long");
    }
    const parsed = letter.safeParse(parse(await readFile(file, "utf8")));
    if (!parsed.success) {
      await rm(file);
      return new Error("it is no letter");
    }
    if (!server) return "away";
    const { recipients, mime } = parsed.data;
    await server.sendMail({ envelope: { from, to: recipients }, raw: Buffer.from(mime, "base64") });
    await rm(file);
    return "sent";
  } catch (error) {
    const { responseCode = 0, code = "" } = error as { responseCode?: number; code?: string };
    if (/^(ECONNECTION|ETIMEDOUT|ESOCKET|EDNS|EAUTH)$/.test(code)) return "away";
    // Refused for good.
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
