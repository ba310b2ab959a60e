import { setTimeout as pause } from "node:timers/promises";
import type { ErrorKey, LoggedRequest, RequestLogPage } from "@nido/contract";
import { ApiError } from "../ApiError.ts";
import type { Context } from "../Context.ts";
import type { Options } from "../options.ts";

const intervalMs = 2000;
/** What does not end the waiting for requests. */
const passing = new Set<ErrorKey>([
  "error_network",
  "error_unknown",
  "error_too_many_requests",
  "error_requests_unavailable",
]);

/** The requests of the last minutes; with --follow, also those that come. */
export async function logs(context: Context, { follow }: Options) {
  const { t, terminal } = context;
  const path = `/projects/${encodeURIComponent(context.projectName())}/requests`;
  const read = (cursor?: string) => {
    const query = cursor === undefined ? "" : `?cursor=${encodeURIComponent(cursor)}`;
    return context.signedIn().call<RequestLogPage>("GET", path + query);
  };
  let page = await read();
  if (!follow)
    return terminal.list(
      page.requests.map((request) => line(request, t.locale)),
      page.requests,
      t.noRequests,
    );
  terminal.say(t.following);
  for (;;) {
    for (const request of page.requests) terminal.result(line(request, t.locale), request);
    await pause(intervalMs);
    const { cursor } = page;
    page = await read(cursor).catch((error) => {
      if (!(error instanceof ApiError) || !passing.has(error.key)) throw error;
      return { requests: [], cursor };
    });
  }
}

function line({ at, status, cache, bytes, method, path }: LoggedRequest, locale: string): string {
  const time = new Date(at).toLocaleTimeString(locale);
  return [time, status, cache.padEnd(6), String(bytes).padStart(9), method, path].join("  ");
}
