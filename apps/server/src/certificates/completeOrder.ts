import { setTimeout as pause } from "node:timers/promises";
import type { Db } from "../db/connect.ts";
import type { SecretBox } from "../platform/SecretBox.ts";
import type { AcmeClient, Authorization, Challenge } from "./acme/AcmeClient.ts";
import { AcmeProblem } from "./acme/AcmeProblem.ts";
import type { DnsChallenge } from "./DnsChallenge.ts";
import { insertChallenge, type OrderRow, updateOrder } from "./orderQueries.ts";
import type { Pem } from "./secureContext.ts";
import { createKeys, createRequest, keysFromPem, toPem } from "./x509.ts";

interface Options {
  db: Db;
  box: SecretBox;
  acme: AcmeClient;
  /** for wildcards; undefined if none is configured */
  dns: DnsChallenge | undefined;
  /** the certificate that the new one replaces, by its renewal id */
  replaces: string | undefined;
  /** An earlier attempt was interrupted. */
  isResumed: boolean;
}

const pollInterval = 500;
const maxPollInterval = 5000;
/** The authority cannot make us wait for longer than this until we ask again. */
const maxRetryAfter = 30_000;
/** After this time the order stays open, and a later attempt resumes it. */
const patience = 90_000;

/**
 * Completes an order: proves the name, requests the certificate and downloads it. Each step is stored before the
 * next, and the authority knows how far an order is, so it can be interrupted anywhere and resumed.
 */
export async function completeOrder(options: Options, order: OrderRow): Promise<Pem> {
  const { acme } = options;
  const url = order.url ?? (await placeOrder(options, order));
  const deadline = Date.now() + patience;
  for (let attempt = 0; Date.now() < deadline; attempt++) {
    const remote = await acme.order(url);
    switch (remote.status) {
      case "pending":
        for (const authorization of remote.authorizations) await prove(options, order.name, authorization);
        break;
      case "ready": {
        const keys = await keysOf(options, order);
        await acme.finalize(remote, await createRequest(order.name, keys));
        break;
      }
      case "valid": {
        const { privateKey } = await keysOf(options, order);
        return { chain: await acme.download(remote.certificate ?? ""), key: toPem(privateKey) };
      }
      case "invalid":
        throw new AcmeProblem(remote.error ?? (await failureOf(acme, remote.authorizations)), 400);
    }
    await pause(pollPause(attempt, remote.retryAt));
  }
  throw new Error(`the authority did not complete the order for ${order.name} within ${patience / 1000} s`);
}

async function placeOrder({ db, acme, replaces, isResumed }: Options, order: OrderRow): Promise<string> {
  const { id, name } = order;
  // An attempt that was killed may have created the order without storing its address.
  const lost = isResumed ? await acme.findOrder(name) : undefined;
  const url = lost ?? (await createOrder(acme, name, replaces));
  await updateOrder(db, id, { url });
  order.url = url;
  return url;
}

/** Says which certificate the new one replaces, unless the authority objects: then an ordinary order will do. */
async function createOrder(acme: AcmeClient, name: string, replaces: string | undefined): Promise<string> {
  if (!replaces) return acme.createOrder(name);
  return acme.createOrder(name, replaces).catch((error) => {
    if (!(error instanceof AcmeProblem) || error.status >= 500 || error.type === "rateLimited") throw error;
    return acme.createOrder(name);
  });
}

async function prove(options: Options, name: string, url: string) {
  const { acme, dns } = options;
  let authorization = await acme.authorization(url);
  if (authorization.status !== "pending") return;
  const type = name.startsWith("*.") ? "dns-01" : "http-01";
  const challenge = authorization.challenges.find((each) => each.type === type);
  if (!challenge?.token) throw new Error(`the authority offers no ${type} challenge for ${name}`);
  if (type === "dns-01" && !dns)
    throw new Error(`a certificate for ${name} needs DNS_CHALLENGE_NSUPDATE or DNS_CHALLENGE_COMMAND`);
  const proof = await acme.keyAuthorization(challenge.token);
  const record = type === "dns-01" ? await dns?.set(name.replace("*.", ""), proof) : undefined;
  try {
    if (type === "http-01") await insertChallenge(options.db, challenge.token, name, proof);
    if (challenge.status === "pending") await acme.respond(challenge);
    const deadline = Date.now() + patience;
    for (let attempt = 0; authorization.status === "pending" && Date.now() < deadline; attempt++) {
      await pause(pollPause(attempt, authorization.retryAt));
      authorization = await acme.authorization(url);
    }
  } finally {
    await record?.remove();
  }
}

/** How long to wait before the authority is asked again: as long as it wishes, within reason. */
function pollPause(attempt: number, retryAt: Date | undefined): number {
  const wished = Math.min((retryAt?.getTime() ?? 0) - Date.now(), maxRetryAfter);
  return Math.max(wished, Math.min(pollInterval * (attempt + 1), maxPollInterval));
}

async function keysOf({ db, box }: Options, order: OrderRow): Promise<CryptoKeyPair> {
  if (order.key) return keysFromPem(box.open(order.key, order.name));
  const keys = await createKeys();
  // Stored first: a certificate is useless without its key.
  order.key = box.seal(toPem(keys.privateKey), order.name);
  await updateOrder(db, order.id, { key: order.key });
  return keys;
}

/** Why the authority did not accept a proof. */
async function failureOf(acme: AcmeClient, authorizations: string[]): Promise<unknown> {
  for (const url of authorizations) {
    const { challenges }: Authorization = await acme.authorization(url);
    const failed: Challenge | undefined = challenges.find(({ status }) => status === "invalid");
    if (failed) return failed.error;
  }
  return undefined;
}
