import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkCertificate } from "./checkCertificate.ts";
import { namesOf } from "./secureContext.ts";
import { createKeys, createRequest, createSelfSignedCertificate, keysFromPem, renewalId, toPem } from "./x509.ts";

const day = 24 * 3_600_000;
let folder: string;
const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: folder, stdio: "pipe" }).toString();

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "nido-x509-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

test("openssl accepts our requests, and finds their name", async () => {
  writeFileSync(join(folder, "request.der"), await createRequest("*.sites.example.net", await createKeys()));
  const shown = openssl("req", "-inform", "DER", "-in", "request.der", "-noout", "-text", "-verify");
  expect(shown).toContain("DNS:*.sites.example.net");
});

test("a certificate is accepted for its own name and key, and only while it is valid", async () => {
  const [keys, others] = [await createKeys(), await createKeys()];
  const chain = await createSelfSignedCertificate(["www.example.com"], keys, new Date(Date.now() + day));
  const old = await createSelfSignedCertificate(["www.example.com"], keys, new Date(Date.now() - 1000));
  const [key, otherKey] = [toPem(keys.privateKey), toPem((await keysFromPem(toPem(others.privateKey))).privateKey)];
  expect(namesOf(chain)).toEqual(["www.example.com"]);
  expect(checkCertificate("www.example.com", { chain, key }).notAfter.getTime()).toBeGreaterThan(Date.now());
  expect(() => checkCertificate("example.com", { chain, key })).toThrow("not for example.com");
  expect(() => checkCertificate("www.example.com", { chain, key: otherKey })).toThrow("another key");
  expect(() => checkCertificate("www.example.com", { chain: old, key })).toThrow("expired");
});

test("the renewal id consists of the authority key identifier and the serial number", () => {
  // The example of RFC 9773: key 69:88:5B:… and serial number 00:87:65:43:21.
  openssl(
    "req",
    "-x509",
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:P-256",
    "-nodes",
    "-subj",
    "/CN=ca",
    "-addext",
    "subjectKeyIdentifier=69885B6B87464041E1B37B847BA0AE2CDE01C8D4",
    "-keyout",
    "ca.key",
    "-out",
    "ca.pem",
  );
  openssl(
    "req",
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:P-256",
    "-nodes",
    "-subj",
    "/CN=x",
    "-keyout",
    "x.key",
    "-out",
    "x.csr",
  );
  writeFileSync(join(folder, "x.ext"), "authorityKeyIdentifier=keyid\n");
  const chain = openssl(
    "x509",
    "-req",
    "-in",
    "x.csr",
    "-CA",
    "ca.pem",
    "-CAkey",
    "ca.key",
    "-set_serial",
    "0x87654321",
    "-days",
    "1",
    "-extfile",
    "x.ext",
  );
  expect(renewalId(chain)).toBe("aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE");
});
