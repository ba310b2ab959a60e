import { createHmac, timingSafeEqual } from "node:crypto";
import { type MailTopic, mailTopics } from "@nido/contract";

/** The links with which a customer turns a topic off without signing in. Nothing is stored: they are signed. */
export class UnsubscribeLinks {
  private readonly appUrl: URL;
  private readonly secrets: Buffer[];

  /** The first secret signs, and all of them verify, as with `SecretBox`. */
  constructor(appUrl: URL, secrets: Buffer[]) {
    this.appUrl = appUrl;
    this.secrets = secrets;
  }

  urlFor(userId: string, topic: MailTopic): string {
    return new URL(
      `${unsubscribePath}/${userId}.${topic}.${sign(this.secrets[0] as Buffer, userId, topic)}`,
      this.appUrl,
    ).href;
  }

  /** Whom and what a link is for; undefined if we never made it. */
  read(token: string): { userId: string; topic: MailTopic } | undefined {
    const [userId = "", name = "", signature = ""] = token.split(".");
    const topic = mailTopics.find((each) => each === name);
    if (!topic) return undefined;
    const given = Buffer.from(signature);
    const isOurs = this.secrets.some((secret) => {
      const expected = Buffer.from(sign(secret, userId, topic));
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
    return isOurs ? { userId, topic } : undefined;
  }
}

function sign(secret: Buffer, userId: string, topic: MailTopic): string {
  return createHmac("sha256", secret).update(`${userId} ${topic}`).digest("base64url");
}

export const unsubscribePath = "/mail/unsubscribe";
