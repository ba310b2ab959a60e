import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { sitePasswordMinLength } from "@nido/contract";
import { verify } from "@node-rs/argon2";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { SiteEntry } from "../../domains/findSite.ts";
import type { RateLimiter } from "../../http/RateLimiter.ts";
import { escapeHtml } from "../../platform/escapeHtml.ts";
import { Semaphore } from "../../platform/Semaphore.ts";
import { edgePage } from "../edgePage.ts";
import { preferredLanguage } from "../preferredLanguage.ts";

const cookieName = "nido_access";
/** For how long a visitor need not type the password again, in seconds. */
const accessTime = 7 * 86_400;
const maxBodyBytes = 2048;
const maxBodyTime = 10_000;

const texts = {
  es: {
    title: "Este sitio tiene contraseña",
    label: "Contraseña",
    enter: "Entrar",
    wrong: "Esa no es la contraseña.",
    many: "Demasiados intentos. Espera un minuto.",
  },
  en: {
    title: "This site has a password",
    label: "Password",
    enter: "Continue",
    wrong: "That is not the password.",
    many: "Too many attempts. Wait a minute.",
  },
} as const;

interface Protected {
  site: SiteEntry;
  /** of the password */
  hash: string;
}

/** Asks visitors for the password of a static site, and remembers by a signed cookie that they know it. */
export class SitePasswords {
  private readonly limiter: RateLimiter;
  /** Verifying keeps a thread busy. Signing in to the dashboard has others. */
  private readonly verifying = new Semaphore(1);

  constructor(limiter: RateLimiter) {
    this.limiter = limiter;
  }

  /** Whether the visitor may see the site; otherwise the response has been sent. */
  async admit(request: FastifyRequest, reply: FastifyReply, { site, hash }: Protected): Promise<boolean> {
    if (isAdmitted(request.raw, site.id, hash)) return true;
    if (request.method !== "POST") {
      sendForm(request, reply, site, 401);
      return false;
    }
    const allowed =
      (await this.limiter.tryTake("sitePassword", `${site.id} ${request.ip}`)) &&
      (await this.limiter.tryTake("sitePasswords", site.id));
    const password = allowed ? await readPassword(request.raw) : undefined;
    if (password === undefined) sendForm(request, reply, site, 429, "many");
    else if (!(await this.isRight(hash, password))) sendForm(request, reply, site, 401, "wrong");
    else {
      const isSecure = request.protocol === "https";
      reply
        .code(303)
        .header("set-cookie", accessCookie(site.id, hash, isSecure))
        .header("cache-control", "no-store")
        .header("location", pathOf(request.url))
        .send();
    }
    return false;
  }

  private isRight(hash: string, password: string): Promise<boolean> {
    if (password.length < sitePasswordMinLength) return Promise.resolve(false);
    return this.verifying.run(() => verify(hash, password));
  }
}

/** A path with two leading slashes would lead to another host. */
function pathOf(url: string): string {
  return url.replace(/^[/\\]+/, "/");
}

function isAdmitted({ headers }: IncomingMessage, siteId: string, hash: string): boolean {
  const [, expires = "", signature = ""] =
    new RegExp(`(?:^|; )${cookieName}=(\\d{10})\\.([\\w-]{43})(?:;|$)`).exec(headers.cookie ?? "") ?? [];
  if (Number(expires) * 1000 < Date.now()) return false;
  return timingSafeEqual(Buffer.from(signature), Buffer.from(sign(siteId, hash, expires)));
}

/** Signed with the hash: a new password ends all access that the old one gave. */
function sign(siteId: string, hash: string, expires: string): string {
  return createHmac("sha256", hash).update(`${siteId} ${expires}`).digest("base64url");
}

function accessCookie(siteId: string, hash: string, isSecure: boolean): string {
  const expires = String(Math.floor(Date.now() / 1000) + accessTime);
  const value = `${cookieName}=${expires}.${sign(siteId, hash, expires)}`;
  return `${value}; Path=/; Max-Age=${accessTime}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
}

/** The field of the form; undefined if the body is not one, or does not arrive in time. */
async function readPassword(request: IncomingMessage): Promise<string | undefined> {
  const timer = setTimeout(() => request.destroy(), maxBodyTime);
  try {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) {
      body += chunk;
      if (body.length > maxBodyBytes) return undefined;
    }
    return new URLSearchParams(body).get("password") ?? "";
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

function sendForm(
  request: FastifyRequest,
  reply: FastifyReply,
  site: SiteEntry,
  status: number,
  fault?: "wrong" | "many",
) {
  const lang = preferredLanguage(request.headers["accept-language"]) ?? site.lang;
  const t = texts[lang];
  const error = fault ? `<p id="fault" role="alert">${t[fault]}</p>` : "";
  const body = `<form method="post" action="${escapeHtml(pathOf(request.url))}">
    <p><label for="password">${t.label}</label><br>
    <input id="password" name="password" type="password" autocomplete="current-password" required autofocus${fault ? ' aria-invalid="true" aria-describedby="fault"' : ""}></p>
    ${error}<p><button>${t.enter}</button></p></form>`;
  reply
    .code(status)
    .headers({ "cache-control": "no-store", "x-robots-tag": "noindex", vary: "accept-language, cookie" })
    .type("text/html; charset=utf-8")
    .send(edgePage({ lang, title: t.title, body }));
}
