/** A call that the server answered with something else than success. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly status: number;

  constructor(status: number) {
    super(`the server answered ${status}`);
    this.status = status;
  }
}

const timeLimit = 20_000;

/** Calls the server and reads its JSON. Rejects with `ApiError` on any answer but success. */
export async function api<Answer>(path: string, init: RequestInit = {}): Promise<Answer> {
  const limit = AbortSignal.timeout(timeLimit);
  const signal = init.signal ? AbortSignal.any([init.signal, limit]) : limit;
  const response = await fetch(path, { credentials: "same-origin", ...init, signal });
  if (!response.ok) throw new ApiError(response.status);
  return response.json();
}

export function post(body: unknown): RequestInit {
  return { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}
