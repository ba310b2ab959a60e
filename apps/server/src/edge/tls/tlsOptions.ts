import { hkdfSync } from "node:crypto";
import type { TlsOptions } from "node:tls";

/** TLS 1.3, and those cipher suites of TLS 1.2 that have forward secrecy and authenticated encryption. */
const ciphers = [
  "TLS_AES_128_GCM_SHA256",
  "TLS_AES_256_GCM_SHA384",
  "TLS_CHACHA20_POLY1305_SHA256",
  "ECDHE-ECDSA-AES128-GCM-SHA256",
  "ECDHE-RSA-AES128-GCM-SHA256",
  "ECDHE-ECDSA-AES256-GCM-SHA384",
  "ECDHE-RSA-AES256-GCM-SHA384",
  "ECDHE-ECDSA-CHACHA20-POLY1305",
  "ECDHE-RSA-CHACHA20-POLY1305",
];
const handshakeTimeout = 10_000;
const ticketPeriod = 12 * 3_600_000;
const sessionSeconds = 24 * 3600;

export const tlsOptions: TlsOptions = {
  ALPNProtocols: ["h2", "http/1.1"],
  minVersion: "TLSv1.2",
  ciphers: ciphers.join(":"),
  honorCipherOrder: true,
  handshakeTimeout,
  sessionTimeout: sessionSeconds,
  // The same in every process, so that each can resume the sessions of the others.
  sessionIdContext: "nido",
};

/** The keys of session tickets. All processes derive the same ones, and new ones twice a day. */
export function ticketKeys(secret: Buffer, now = Date.now()): Buffer {
  const period = Math.floor(now / ticketPeriod);
  return Buffer.from(hkdfSync("sha256", secret, "", `session tickets ${period}`, 48));
}

export function untilNextTicketKeys(now = Date.now()): number {
  return ticketPeriod - (now % ticketPeriod);
}
