import type { Actor } from "@nido/contract";
import type { FastifyRequest } from "fastify";
import { placeOf } from "../auth/devices.ts";
import type { Db } from "../db/connect.ts";
import { AppError } from "../platform/AppError.ts";
import { type CliToken, findCliToken } from "./accessTokens.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** set by `requireCliToken` */
    cliToken: CliToken;
  }
}

/** The token of a request, as the one who does something. */
export function tokenAs({ cliToken, ip }: FastifyRequest): Actor {
  return { kind: "token", name: cliToken.name, place: placeOf(ip) };
}

/** A guard that requires a valid bearer token and puts it on the request. */
export function requireCliToken(db: Db) {
  return async (request: FastifyRequest) => {
    const [, secret] = /^Bearer (nido_[\w-]{43})$/.exec(request.headers.authorization ?? "") ?? [];
    const token = secret && (await findCliToken(db, secret));
    if (!token) throw new AppError("error_signed_out");
    request.cliToken = token;
  };
}
