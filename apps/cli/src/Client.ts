import { once } from "node:events";
import http, { type Agent, type ClientRequest, type IncomingMessage } from "node:http";
import { buffer, json } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { cliVersionHeader, filesMediaType, isErrorKey } from "@nido/contract";
import { ApiError } from "./ApiError.ts";
import { https, readline } from "./lazyBuiltins.ts";
import { warmUpIsIP } from "./warmUpIsIP.ts";

/** A request body that can be sent again when a request is retried. */
export interface RepeatableBody {
  length: number;
  open: () => AsyncIterable<Uint8Array> | Uint8Array;
}

const maxAttempts = 4;
const firstRetryDelayMs = 300;
const timeoutMs = 60_000;
/** After this time without an answer, the user is told. */
const noticeMs = 8000;
/** Longer than a command of WP-CLI may take. */
const silentMs = 180_000;

interface RequestOptions<Answer> {
  read: (response: IncomingMessage) => Promise<Answer>;
  /** in milliseconds */
  timeout: number;
}

interface Listeners {
  onSilence: () => void;
  onRetry: (attempt: number, maxAttempts: number) => void;
}

/** HTTP client of the server's CLI API. Idempotent calls are retried with backoff when the connection fails. */
export class Client {
  readonly server: URL;
  private readonly token: string | undefined;
  private readonly listeners: Listeners | undefined;
  private readonly agent: Agent;
  private isClosed = false;
  /** the version of the CLI that the server hands out, once it has answered */
  currentVersion: string | undefined;

  constructor(server: URL, token?: string, listeners?: Listeners) {
    this.server = server;
    this.token = token;
    this.listeners = listeners;
    warmUpIsIP();
    // Node reads HTTPS_PROXY, HTTP_PROXY and NO_PROXY.
    const options = { keepAlive: true, maxSockets: 6, ...(hasProxy() && { proxyEnv: process.env }) };
    this.agent = server.protocol === "https:" ? new (https().Agent)(options) : new http.Agent(options);
  }

  call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.retry(() => this.callOnce<Answer>(method, path, body));
  }

  /** For calls that are not idempotent: it never retries. */
  callOnce<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const repeatable = bytes && { length: bytes.length, open: () => bytes };
    return this.request<Answer>(method, path, repeatable, "application/json");
  }

  sendFiles<Answer>(method: string, path: string, body: RepeatableBody, type = filesMediaType): Promise<Answer> {
    return this.retry(() => this.request<Answer>(method, path, body, type));
  }

  download(path: string): Promise<Buffer> {
    const read = async (response: IncomingMessage) =>
      response.statusCode === 200 ? buffer(response) : readAnswer<Buffer>(response);
    return this.retry(() => this.request("GET", path, undefined, "", { read, timeout: timeoutMs }));
  }

  /** Calls what answers with lines of JSON while it runs. */
  stream<Line>(path: string, body: unknown): Promise<AsyncIterable<Line>> {
    const bytes = Buffer.from(JSON.stringify(body));
    const repeatable = { length: bytes.length, open: () => bytes };
    const options = { read: readLines<Line>, timeout: silentMs };
    return this.request("POST", path, repeatable, "application/json", options);
  }

  close() {
    this.isClosed = true;
    this.agent.destroy();
  }

  private async retry<Answer>(request: () => Promise<Answer>): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await request();
      } catch (error) {
        const isTransient =
          error instanceof ApiError && (error.key === "error_network" || error.key === "error_unknown");
        if (!isTransient || this.isClosed || attempt === maxAttempts) throw error;
        this.listeners?.onRetry(attempt + 1, maxAttempts);
        await pause(firstRetryDelayMs * 2 ** attempt * (0.5 + Math.random()));
      }
    }
  }

  private async request<Answer>(
    method: string,
    path: string,
    body: RepeatableBody | undefined,
    type: string,
    options?: RequestOptions<Answer>,
  ): Promise<Answer> {
    const { read, timeout } = options ?? { read: readAnswer<Answer>, timeout: timeoutMs };
    const send = this.server.protocol === "https:" ? https().request : http.request;
    const request = send(new URL(`/api/cli${path}`, this.server), {
      method,
      agent: this.agent,
      timeout: options ? timeout : noticeMs,
      headers: {
        accept: "application/json",
        ...(this.token && { authorization: `Bearer ${this.token}` }),
        ...(body && { "content-type": type, "content-length": body.length }),
      },
    });
    let isNoticed = options !== undefined;
    request.on("timeout", () => {
      if (isNoticed) return void request.destroy(new Error("the server did not answer in time"));
      isNoticed = true;
      request.setTimeout(timeout - noticeMs);
      this.listeners?.onSilence();
    });
    const answered = once(request, "response") as Promise<[IncomingMessage]>;
    answered.catch(() => undefined); // It is awaited below; until then a rejection would count as unhandled.
    request.on("error", () => undefined); // Nobody else listens once there is a response.
    try {
      const content = body?.open();
      if (content instanceof Uint8Array || content === undefined) request.end(content);
      else await write(request, content, answered);
      const [response] = await answered;
      this.currentVersion = response.headers[cliVersionHeader] as string | undefined;
      const answer = await read(response);
      if (!request.writableEnded) request.destroy();
      return answer;
    } catch (error) {
      request.destroy();
      if (error instanceof ApiError) throw error;
      throw new ApiError("error_network", (error as Error).message, { cause: error });
    }
  }
}

/** Writes the body, or as much of it as the server wants: it may refuse a request before it has read all of it. */
async function write(request: ClientRequest, content: AsyncIterable<Uint8Array>, answered: Promise<unknown>) {
  let isAnswered = false;
  request.once("response", () => (isAnswered = true));
  for await (const chunk of content) {
    if (!request.write(chunk)) await Promise.race([once(request, "drain"), answered]);
    if (isAnswered) return;
  }
  request.end();
}

/** Whether the environment names a proxy. */
export function hasProxy(): boolean {
  return ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"].some((name) => process.env[name]);
}

async function readLines<Line>(response: IncomingMessage): Promise<AsyncIterable<Line>> {
  if (response.statusCode !== 200) return readAnswer(response);
  async function* lines() {
    try {
      for await (const line of readline().createInterface({ input: response })) yield JSON.parse(line) as Line;
    } catch (error) {
      throw new ApiError("error_network", (error as Error).message, { cause: error });
    }
  }
  return lines();
}

async function readAnswer<Answer>(response: IncomingMessage): Promise<Answer> {
  const isJson = response.headers["content-type"]?.startsWith("application/json");
  const body = isJson ? ((await json(response)) as { error?: string; detail?: string; missing?: string[] }) : undefined;
  if (!isJson) response.resume();
  if ((response.statusCode === 200 || response.statusCode === 202) && body) return body as Answer;
  const { error, detail, missing } = body ?? {};
  throw new ApiError(isErrorKey(error) ? error : "error_unknown", detail, { missing });
}
