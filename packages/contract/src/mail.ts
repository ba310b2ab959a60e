/** The kinds of mail that a customer can turn off. Mail about security and payments is always sent. */
export const mailTopics = ["sites", "domains", "tips"] as const;
export type MailTopic = (typeof mailTopics)[number];
