import type { FastifyReply, FastifyRequest } from "fastify";

/** Answers 404 for hosts that are not the dashboard's. On localhost, 127.0.0.1 and [::1] redirect to APP_URL. */
export function refuseForeignHost(appUrl: URL, pathsOnAnyHost: string[]) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    if (request.host === appUrl.host || pathsOnAnyHost.includes(request.url.split("?", 1)[0] ?? "")) return;
    const isLocalAlias = appUrl.hostname === "localhost" && /^(127\.0\.0\.1|\[::1\])(:|$)/.test(request.host);
    if (isLocalAlias && request.method === "GET" && !request.ws)
      return reply.redirect(appUrl.origin + request.url, 307);
    return reply.code(404).type("text/plain").send("There is no site here.\n");
  };
}
