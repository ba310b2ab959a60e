import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { ErrorKey } from "@nido/contract";
import { readBounded } from "../../platform/readBounded.ts";
import { isPrivateHost, lookupAny, lookupPublic } from "./guardHost.ts";

/** Another WordPress, with our plugin for it. */
export interface Source {
  url: string;
  /** absent if we brought the plugin */
  user?: string | undefined;
  /** an application password of the user, or the key of the plugin that we brought */
  password: string;
}

/** A piece of what another WordPress sends. */
interface Piece {
  bytes: Buffer;
  /** where the following piece begins; empty after the last one */
  next: string;
}

export interface Options {
  /** it may be on this machine or in a private network */
  mayBePrivate: boolean;
  signal: AbortSignal;
}

/** Why another WordPress cannot be read. */
export class SourceError extends Error {
  readonly key: ErrorKey;
  /** where it is instead */
  readonly movedTo: string | undefined;

  constructor(key: ErrorKey, message: string, movedTo?: string) {
    super(message);
    this.key = key;
    this.movedTo = movedTo;
  }
}

/** Somebody waits for the answer about the site. */
const [siteMs, pieceMs] = [25_000, 90_000];
const maxSiteBytes = 256 * 2 ** 10;
/** A piece has some megabytes, and then ends after a row or a file. */
const maxPieceBytes = 64 * 2 ** 20;

/** Asks our plugin in another WordPress. Throws a SourceError unless that answers as it should. */
export async function askSource(
  { url, user, password }: Source,
  route: "site" | "table" | "files" | "end",
  fields: Record<string, string>,
  { mayBePrivate, signal }: Options,
): Promise<Piece> {
  const target = new URL(url);
  // Works with every kind of permalinks.
  target.searchParams.set("rest_route", `/nido-move/v1/${route}`);
  const host = target.hostname.replace(/^\[|\]$/g, "");
  if (!mayBePrivate && isPrivateHost(host))
    throw new SourceError("error_move_in_source", `${host} is not a public address`);
  const body = new URLSearchParams(fields).toString();
  const isPiece = route === "table" || route === "files";
  const until = AbortSignal.any([signal, AbortSignal.timeout(isPiece ? pieceMs : siteMs)]);
  const options = {
    method: "POST",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      "content-length": Buffer.byteLength(body),
      "accept-encoding": "identity",
      // WordPress would refuse a user whom it does not know before the plugin is asked.
      ...(user === undefined
        ? { "x-move-key": password }
        : { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` }),
    },
    agent: false as const,
    lookup: mayBePrivate ? lookupAny : lookupPublic,
    signal: until,
  };
  const piece = new Promise<Piece>((answer, reject) => {
    // Also if it was ended in another way before, of which Node tells nothing.
    until.addEventListener("abort", () => reject(until.reason), { once: true });
    const send = target.protocol === "https:" ? requestHttps : requestHttp;
    const request = send(target, options, (response) => {
      const { statusCode: status = 0, headers } = response;
      if (status !== 200) {
        response.destroy();
        return reject(refusal(status, target, headers.location));
      }
      readBounded(response, isPiece ? maxPieceBytes : maxSiteBytes)
        .then((bytes) => {
          const size = headers["x-move-bytes"];
          if (size !== undefined && Number(size) !== bytes.length) throw new Error("the answer was cut off");
          if (isPiece && size === undefined) throw new SourceError("error_move_in_plugin", "not our plugin");
          answer({ bytes, next: decodeURIComponent(String(headers["x-move-next"] ?? "")) });
        })
        .catch(reject);
    });
    request.on("upgrade", (_response, socket) => {
      socket.destroy();
      reject(new Error("it answered 101"));
    });
    request.on("error", reject);
    request.end(body);
  });
  return piece.catch((error) => {
    throw error instanceof SourceError ? error : new SourceError("error_move_in_source", error.message);
  });
}

function refusal(status: number, asked: URL, location: string | undefined): SourceError {
  if (status === 401 || status === 403) return new SourceError("error_move_in_login", `it answered ${status}`);
  if (status === 404) return new SourceError("error_move_in_plugin", "our plugin is not active there");
  return new SourceError("error_move_in_source", `it answered ${status}`, movedTo(asked, location));
}

/** The same site with HTTPS, or with or without `www`. No other site gets the password. */
function movedTo(asked: URL, location = ""): string | undefined {
  const target = URL.parse(location, asked);
  const plain = ({ hostname }: URL) => hostname.replace(/^www\./, "");
  if (!target || plain(target) !== plain(asked) || !/^https?:$/.test(target.protocol)) return undefined;
  if (asked.protocol === "https:" && target.protocol === "http:") return undefined;
  if (target.port !== "" && target.port !== asked.port) return undefined;
  target.searchParams.delete("rest_route");
  return target.href === asked.href ? undefined : target.href;
}
