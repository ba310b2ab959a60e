import { createDatabase } from "@nido/test-kit/database";
import { expect, onTestFinished, test } from "vitest";
import { connect } from "../db/connect.ts";
import { SecretBox } from "../platform/SecretBox.ts";
import { CertificateFiles } from "./CertificateFiles.ts";
import { IssuedCertificates } from "./IssuedCertificates.ts";
import { SecureContexts } from "./SecureContexts.ts";

test("names that cannot have a certificate, or were just looked up in vain, are refused without a look-up", async () => {
  const db = connect(await createDatabase());
  onTestFinished(() => db.$client.end());
  let isListening = true;
  const issued = new IssuedCertificates({
    db,
    box: new SecretBox(["a key of thirty-two characters and more"]),
    isListening: () => isListening,
    platformNames: ["localhost", "*.sites.localhost"],
  });
  const { find } = new SecureContexts(new CertificateFiles([], () => undefined), issued);
  for (const name of ["", "printer", "192.0.2.7", "2001:db8::7", `${"a.".repeat(126)}aa`])
    expect(find(name), name).toBeUndefined();
  for (const name of ["www.example.com", "localhost", "any.sites.localhost"]) {
    const pending = find(name);
    expect(pending, name).toBeInstanceOf(Promise);
    expect(await pending).toBeUndefined();
    expect(find(name), name).toBeUndefined();
  }
  // Without notifications, what memory says may be wrong.
  isListening = false;
  const unsure = find("www.example.com");
  expect(unsure).toBeInstanceOf(Promise);
  await unsure;
  isListening = true;
  issued.forgetAll();
  const changed = find("www.example.com");
  expect(changed).toBeInstanceOf(Promise);
  await changed;
});
