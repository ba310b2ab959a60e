import { createHmac, timingSafeEqual } from "node:crypto";
import { type MailTopic, mailTopics } from "@nido/contract";

/** The links with which a customer turns a topic off without signing in. Nothing is stored: they are signed. */
export class UnsubscribeLinks {
  private readonly appUrl: URL;
  private readonly secret: Buffer;

  constructor(appUrl: URL, secret: Buffer) {
    this.appUrl = appUrl;
    this.secret = secret;
  }

  urlFor(userId: string, topic: MailTopic): string {
    return new URL(`${unsubscribePath}/${userId}.${topic}.${this.sign(userId, topic)}`, this.appUrl).href;
  }

  /** Whom and what a link is for; undefined if we never made it. */
  read(token: string): { userId: string; topic: MailTopic } | undefined {
    const [userId = "", name = "", signature = ""] = token.split(".");
    const topic = mailTopics.find((each) => each === name);
    if (!topic) return undefined;
    const expected = Buffer.from(this.sign(userId, topic));
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected) ? { userId, topic } : undefined;
  }

  private sign(userId: string, topic: MailTopic): string {
    return createHmac("sha256", this.secret).update(`${userId} ${topic}`).digest("base64url");
  }
}

export const unsubscribePath = "/mail/unsubscribe";
