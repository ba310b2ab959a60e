import { type ErrorKey, isErrorKey } from "@nido/contract";

/** A call that the server answered with something else than success, and the reason it gave. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly status: number;
  readonly key: ErrorKey;

  constructor(status: number, key: ErrorKey) {
    super(`the server answered ${status}`);
    this.status = status;
    this.key = key;
  }
}

const timeLimit = 20_000;

/** Calls the server and reads its JSON. Rejects with `ApiError` on any answer but success. */
export async function api<Answer>(path: string, init: RequestInit = {}): Promise<Answer> {
  const limit = AbortSignal.timeout(timeLimit);
  const signal = init.signal ? AbortSignal.any([init.signal, limit]) : limit;
  const response = await fetch(path, { credentials: "same-origin", ...init, signal });
  if (!response.ok) throw new ApiError(response.status, await keyOf(response));
  return response.json();
}

async function keyOf(response: Response): Promise<ErrorKey> {
  const body = await response.json().catch(() => undefined);
  return isErrorKey(body?.error) ? body.error : "error_unknown";
}

export function post(body: unknown): RequestInit {
  return { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}
