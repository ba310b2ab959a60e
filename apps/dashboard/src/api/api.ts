import { callTimeoutMs, type ErrorKey, isErrorKey } from "@nido/contract";

/** The server's error response to a call: its status and its error key. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly status: number;
  readonly key: ErrorKey;
  /** the subject of the error, such as a file name */
  readonly detail: string | undefined;
  /** digests of the files that the server still lacks */
  readonly missing: string[];

  constructor(status: number, key: ErrorKey, detail?: string, missing: string[] = []) {
    super(`The server answered ${status} (${key})`);
    this.status = status;
    this.key = key;
    this.detail = detail;
    this.missing = missing;
  }
}

interface Init extends RequestInit {
  /** null: as long as it takes, for uploads */
  timeoutMs?: number | null;
}

/** Calls the server and parses its JSON. Rejects with `ApiError` if the status is not a success. */
export async function api<Answer>(path: string, { timeoutMs = callTimeoutMs, ...init }: Init = {}): Promise<Answer> {
  const signals = [init.signal, timeoutMs && AbortSignal.timeout(timeoutMs)].filter(
    (signal) => signal instanceof AbortSignal,
  );
  const response = await fetch(path, { credentials: "same-origin", ...init, signal: AbortSignal.any(signals) });
  if (!response.ok) throw await errorOf(response);
  return response.json();
}

/** Calls what answers with lines of JSON while it runs. */
export async function* streamLines<Line>(path: string, body: unknown, signal: AbortSignal): AsyncGenerator<Line> {
  const response = await fetch(path, { credentials: "same-origin", ...post(body), signal });
  if (!response.ok || !response.body) throw await errorOf(response);
  // Safari has no iterator for streams.
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ""; ; ) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line);
  }
}

async function errorOf(response: Response): Promise<ApiError> {
  const { error, detail, missing } = Object(await response.json().catch(() => undefined));
  return new ApiError(response.status, isErrorKey(error) ? error : "error_unknown", detail, missing);
}

export function post(body: unknown): RequestInit {
  return sending("POST", body);
}

export function put(body: unknown): RequestInit {
  return sending("PUT", body);
}

function sending(method: string, body: unknown): RequestInit {
  return { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}
