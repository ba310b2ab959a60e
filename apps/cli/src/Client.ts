import { once } from "node:events";
import http, { type Agent, type IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { json } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import { type ErrorKey, filesMediaType, isErrorKey } from "@nido/contract";
import { https } from "./builtins.ts";
import { quickenNames } from "./quickenNames.ts";

/** What the server answered instead of success. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly key: ErrorKey;
  readonly detail: string | undefined;
  /** The digests of files that the server still lacks. */
  readonly missing: string[];

  constructor(
    key: ErrorKey,
    detail?: string,
    { missing = [], ...options }: ErrorOptions & { missing?: string[] } = {},
  ) {
    super(detail === undefined ? key : `${key}: ${detail}`, options);
    this.key = key;
    this.detail = detail;
    this.missing = missing;
  }
}

/** A body that can be sent again: its length, and its bytes anew each time. */
export interface Parcel {
  length: number;
  open: () => AsyncIterable<Uint8Array> | Uint8Array;
}

const attempts = 4;
const firstPause = 300;
const timeLimit = 60_000;

/** Speaks with the server. A bad line is met by trying again, where a call may be repeated without harm. */
export class Client {
  readonly server: URL;
  private readonly token: string | undefined;
  private readonly agent: Agent;
  private isClosed = false;

  constructor(server: URL, token?: string) {
    this.server = server;
    this.token = token;
    quickenNames();
    const options = { keepAlive: true, maxSockets: 6 };
    this.agent = server.protocol === "https:" ? new (https().Agent)(options) : new http.Agent(options);
  }

  call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.persist(() => this.callOnce<Answer>(method, path, body));
  }

  /** For what must not be done twice. */
  callOnce<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const parcel = bytes && { length: bytes.length, open: () => bytes };
    return this.ask<Answer>(method, path, parcel, "application/json");
  }

  sendFiles<Answer>(method: string, path: string, parcel: Parcel): Promise<Answer> {
    return this.persist(() => this.ask<Answer>(method, path, parcel, filesMediaType));
  }

  close() {
    this.isClosed = true;
    this.agent.destroy();
  }

  private async persist<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await ask();
      } catch (error) {
        const isPassing = error instanceof ApiError && (error.key === "error_network" || error.key === "error_unknown");
        if (!isPassing || this.isClosed || attempt === attempts) throw error;
        await pause(firstPause * 2 ** attempt * (0.5 + Math.random()));
      }
    }
  }

  private async ask<Answer>(method: string, path: string, parcel: Parcel | undefined, type: string): Promise<Answer> {
    const send = this.server.protocol === "https:" ? https().request : http.request;
    const request = send(new URL(`/api/cli${path}`, this.server), {
      method,
      agent: this.agent,
      timeout: timeLimit,
      headers: {
        accept: "application/json",
        ...(this.token && { authorization: `Bearer ${this.token}` }),
        ...(parcel && { "content-type": type, "content-length": parcel.length }),
      },
    });
    request.on("timeout", () => request.destroy(new Error("no answer")));
    const answered = once(request, "response") as Promise<[IncomingMessage]>;
    answered.catch(() => undefined); // met below
    try {
      const content = parcel?.open();
      if (content instanceof Uint8Array || content === undefined) request.end(content);
      else
        await pipeline(Readable.from(content, { objectMode: false }), request).catch(async (error) => {
          // A refusal may come before everything was sent.
          if ((error as NodeJS.ErrnoException).code !== "EPIPE" && !request.destroyed) throw error;
          await answered;
        });
      const [response] = await answered;
      return await readAnswer<Answer>(response);
    } catch (error) {
      request.destroy();
      if (error instanceof ApiError) throw error;
      throw new ApiError("error_network", (error as Error).message, { cause: error });
    }
  }
}

async function readAnswer<Answer>(response: IncomingMessage): Promise<Answer> {
  const isJson = response.headers["content-type"]?.startsWith("application/json");
  const body = isJson ? ((await json(response)) as { error?: string; detail?: string; missing?: string[] }) : undefined;
  if (!isJson) response.resume();
  if (response.statusCode === 200 && body) return body as Answer;
  const { error, detail, missing } = body ?? {};
  throw new ApiError(isErrorKey(error) ? error : "error_unknown", detail, { missing });
}
