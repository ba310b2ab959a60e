import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { calculateJwkThumbprint, exportJWK, FlattenedSign, type JWK } from "jose";
import { z } from "zod";
import { readBounded } from "../../platform/readBounded.ts";
import { AcmeProblem } from "./AcmeProblem.ts";
import { retryTime } from "./retryTime.ts";

export interface AccountBinding {
  id: string;
  /** in base64url */
  key: string;
}

interface Options {
  /** the address of the authority's directory */
  directory: string;
  keys: CryptoKeyPair;
  /** the account's URL, once it is registered */
  account?: string | undefined;
}

const directorySchema = z.object({
  newNonce: z.url(),
  newAccount: z.url(),
  newOrder: z.url(),
  renewalInfo: z.url().optional(),
});
const orderSchema = z.object({
  status: z.enum(["pending", "ready", "processing", "valid", "invalid"]),
  identifiers: z.array(z.object({ value: z.string() })),
  authorizations: z.array(z.url()),
  finalize: z.url(),
  certificate: z.url().optional(),
  error: z.unknown().optional(),
});
const challengeSchema = z.object({
  type: z.string(),
  url: z.url(),
  status: z.enum(["pending", "processing", "valid", "invalid"]),
  token: z
    .string()
    .regex(/^[\w-]+$/)
    .optional(),
  error: z.unknown().optional(),
});
const authorizationSchema = z.object({
  status: z.enum(["pending", "valid", "invalid", "deactivated", "expired", "revoked"]),
  identifier: z.object({ value: z.string() }),
  challenges: z.array(challengeSchema),
});
const ordersSchema = z.object({ orders: z.array(z.url()) });
const renewalSchema = z.object({ suggestedWindow: z.object({ start: z.coerce.date(), end: z.coerce.date() }) });

/** When the authority wants to be asked again, if it said so. */
interface Asked {
  retryAt: Date | undefined;
}
export type Order = z.output<typeof orderSchema> & Asked;
export type Authorization = z.output<typeof authorizationSchema> & Asked;
export type Challenge = z.output<typeof challengeSchema>;

const timeout = 20_000;
const maxAnswerBytes = 2 ** 20;
const maxNonces = 20;
/** More than an account may create in three hours. */
const maxListedOrders = 400;
const maxPages = 1000;
const maxNonceRetries = 10;

/** A client of a certificate authority (ACME, RFC 8555). A later attempt can continue from the URLs that it returns. */
export class AcmeClient {
  private readonly options: Options;
  private account: string | undefined;
  private addresses: Promise<z.output<typeof directorySchema>> | undefined;
  private readonly nonces: string[] = [];

  constructor(options: Options) {
    this.options = options;
    this.account = options.account;
  }

  /** Registers the account, or finds it by its key. Returns its address. */
  async register(email: string | undefined, binding: AccountBinding | undefined): Promise<string> {
    const { newAccount } = await this.directory();
    const payload = {
      termsOfServiceAgreed: true,
      ...(email && { contact: [`mailto:${email}`] }),
      ...(binding && { externalAccountBinding: await this.bind(binding, newAccount) }),
    };
    const { headers } = await this.post(newAccount, payload, { jwk: await this.publicKey() });
    this.account = required(headers.get("location"), "the new account has no address");
    return this.account;
  }

  async createOrder(name: string, replaces?: string): Promise<string> {
    const { newOrder, renewalInfo } = await this.directory();
    const identifiers = [{ type: "dns", value: name }];
    const { headers } = await this.post(newOrder, {
      identifiers,
      ...(renewalInfo && replaces && { replaces }),
    });
    return required(headers.get("location"), "the new order has no address");
  }

  /** An unfinished order for this name, if there is one and the authority lists orders. */
  async findOrder(name: string): Promise<string | undefined> {
    const orders = await this.listOrders().catch((error) => {
      // Some authorities name an address of the list, and refuse to show it.
      if (error instanceof AcmeProblem && error.status < 500) return [];
      throw error;
    });
    for (const url of orders.slice(-maxListedOrders).reverse()) {
      const order = await this.order(url);
      const isIt = order.identifiers.length === 1 && order.identifiers[0]?.value === name;
      if (isIt && ["pending", "ready"].includes(order.status)) return url;
    }
    return undefined;
  }

  /** The addresses of the account's orders, oldest first; none if the authority does not list them. */
  private async listOrders(): Promise<string[]> {
    const account = await this.read(this.account as string, z.object({ orders: z.url().optional() }));
    const listed: string[] = [];
    for (let page = account.orders, count = 0; page && count < maxPages; count++) {
      const { text, headers } = await this.post(page, "");
      listed.push(...ordersSchema.parse(JSON.parse(text)).orders);
      const next = /<([^>]+)>;\s*rel="?next\b/.exec(headers.get("link") ?? "")?.[1];
      page = next && new URL(next, page).href;
    }
    return listed;
  }

  order(url: string): Promise<Order> {
    return this.read(url, orderSchema);
  }

  authorization(url: string): Promise<Authorization> {
    return this.read(url, authorizationSchema);
  }

  /** Tells the authority that the challenge can be checked. */
  async respond({ url }: Challenge) {
    await this.post(url, {});
  }

  async finalize({ finalize }: Order, request: Buffer) {
    await this.post(finalize, { csr: request.toString("base64url") });
  }

  /** The certificate with its chain, in PEM format. */
  async download(url: string): Promise<string> {
    return (await this.post(url, "")).text;
  }

  /** The answer to a challenge: its token and a digest of our key. */
  async keyAuthorization(token: string): Promise<string> {
    return `${token}.${await calculateJwkThumbprint(await this.publicKey())}`;
  }

  /**
   * When the authority would like a certificate to be renewed (ARI, RFC 9773); undefined if it does not say, or did not
   * issue it.
   */
  async renewalWindow(renewalId: string): Promise<({ start: Date; end: Date } & Asked) | undefined> {
    const { renewalInfo } = await this.directory();
    if (!renewalInfo) return undefined;
    const response = await fetch(`${renewalInfo}/${renewalId}`, { signal: AbortSignal.timeout(timeout) });
    const text = await readText(response);
    const retryAt = retryTime(response.headers);
    if (response.status >= 500 || response.status === 429)
      throw new AcmeProblem(parseJson(text), response.status, retryAt);
    if (!response.ok) return undefined;
    return { ...renewalSchema.parse(JSON.parse(text)).suggestedWindow, retryAt };
  }

  private async read<Schema extends z.ZodType>(url: string, schema: Schema): Promise<z.output<Schema> & Asked> {
    const { text, headers } = await this.post(url, "");
    return { ...(schema.parse(JSON.parse(text)) as object), retryAt: retryTime(headers) } as z.output<Schema> & Asked;
  }

  private async post(url: string, payload: object | "", header: object = { kid: this.account }) {
    for (let attempt = 1; ; attempt++) {
      const body = await this.sign(payload, { ...header, url, nonce: await this.nonce() });
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/jose+json", "user-agent": "nido" },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(timeout),
      });
      this.keepNonce(response);
      const text = await readText(response);
      if (response.ok) return { headers: response.headers, text };
      const problem = new AcmeProblem(parseJson(text), response.status, retryTime(response.headers));
      if (problem.type !== "badNonce" || attempt === maxNonceRetries) throw problem;
    }
  }

  private async sign(payload: object | "", header: object) {
    const bytes = new TextEncoder().encode(payload === "" ? "" : JSON.stringify(payload));
    return new FlattenedSign(bytes).setProtectedHeader({ alg: "ES256", ...header }).sign(this.options.keys.privateKey);
  }

  private async bind({ id, key }: AccountBinding, url: string) {
    const bytes = new TextEncoder().encode(JSON.stringify(await this.publicKey()));
    return new FlattenedSign(bytes)
      .setProtectedHeader({ alg: "HS256", kid: id, url })
      .sign(Buffer.from(key, "base64url"));
  }

  private publicKey(): Promise<JWK> {
    return exportJWK(this.options.keys.publicKey);
  }

  private directory() {
    this.addresses ??= fetch(this.options.directory, { signal: AbortSignal.timeout(timeout) })
      .then(async (response) => {
        const text = await readText(response);
        if (!response.ok) throw new AcmeProblem(parseJson(text), response.status, retryTime(response.headers));
        return directorySchema.parse(JSON.parse(text));
      })
      .catch((error) => {
        this.addresses = undefined;
        throw error;
      });
    return this.addresses;
  }

  private async nonce(): Promise<string> {
    const known = this.nonces.pop();
    if (known) return known;
    const { newNonce } = await this.directory();
    const response = await fetch(newNonce, { method: "HEAD", signal: AbortSignal.timeout(timeout) });
    return required(response.headers.get("replay-nonce"), "the authority sent no nonce");
  }

  private keepNonce({ headers }: Response) {
    const nonce = headers.get("replay-nonce");
    if (nonce && this.nonces.length < maxNonces) this.nonces.push(nonce);
  }
}

async function readText({ body }: Response): Promise<string> {
  return body ? (await readBounded(Readable.fromWeb(body as ReadableStream), maxAnswerBytes)).toString() : "";
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { detail: text.slice(0, 200) };
  }
}

function required(value: string | null, fault: string): string {
  if (!value) throw new Error(fault);
  return value;
}
