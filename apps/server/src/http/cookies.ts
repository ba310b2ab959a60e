import type { CookieSerializeOptions } from "@fastify/cookie";
import type { FastifyReply, FastifyRequest } from "fastify";

declare module "fastify" {
  interface FastifyInstance {
    cookies: Cookies;
  }
}

/** Host-only cookies. Under https the `__Host-` prefix makes browsers enforce that. */
export function createCookies(appUrl: URL) {
  const isSecure = appUrl.protocol === "https:";
  const named = (name: string) => (isSecure ? `__Host-${name}` : name);
  const options: CookieSerializeOptions = { path: "/", httpOnly: true, sameSite: "lax", secure: isSecure };

  return {
    read: (request: FastifyRequest, name: string) => request.cookies[named(name)],
    write: (reply: FastifyReply, name: string, value: string, maxAge: number) =>
      reply.setCookie(named(name), value, { ...options, maxAge }),
    clear: (reply: FastifyReply, name: string) => reply.clearCookie(named(name), options),
  };
}
type Cookies = ReturnType<typeof createCookies>;
