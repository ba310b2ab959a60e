import type { FastifyBaseLogger } from "fastify";
import { announceChange } from "../db/announceChange.ts";
import type { Db, Tx } from "../db/connect.ts";
import type { SecretBox } from "../platform/SecretBox.ts";
import type { Authorities } from "./Authorities.ts";
import type { DnsChallenge } from "./DnsChallenge.ts";
import { findOwner } from "./orderQueries.ts";

/** The dependencies of ordering certificates. */
export interface CertificateOrders {
  db: Db;
  box: SecretBox;
  authorities: Authorities;
  dns: DnsChallenge | undefined;
  /** names of the platform itself that are ordered */
  platformNames: string[];
  /** all names of the platform: their certificates are kept, even while they cannot be ordered */
  keptNames: string[];
  log: FastifyBaseLogger;
}

/** Announces a change of a name's certificate, so that its customer sees it and every process loads it again. */
export async function announceCertificate(tx: Tx, name: string) {
  const owner = await findOwner(tx, name);
  if (owner) await announceChange(tx, owner);
}
