import type { SecureContext } from "node:tls";
import type { CertificateFiles } from "./CertificateFiles.ts";
import type { IssuedCertificates } from "./IssuedCertificates.ts";
import { covers } from "./names.ts";

/** The certificates that this process serves: the operator's own files, then those that were issued to us. */
export class SecureContexts {
  private readonly files: CertificateFiles;
  private readonly issued: IssuedCertificates | undefined;

  constructor(files: CertificateFiles, issued: IssuedCertificates | undefined) {
    this.files = files;
    this.issued = issued;
  }

  /** For a TLS handshake; undefined if there is no certificate for this name. */
  readonly find = (servername: string): SecureContext | undefined | Promise<SecureContext | undefined> => {
    const known = this.files.find(servername) ?? this.issued?.peekServed(servername);
    if (known) return known.context;
    if (!this.issued || this.issued.isUnknown(servername)) return undefined;
    return this.issued.find(servername).then((found) => found?.context);
  };

  /**
   * Whether the certificate for `servername` is valid for a Host header, which may have a port. The name is `false` on a
   * resumed connection: without a name, a full handshake finds no certificate.
   */
  readonly covers = (servername: string | false, host: string): boolean => {
    if (servername === false) return true;
    const [name, hostname] = [servername.toLowerCase(), withoutPort(host)];
    if (hostname === name) return true;
    const certificate = this.files.find(name) ?? this.issued?.peek(name);
    return certificate !== undefined && covers(certificate.names, hostname);
  };

  /** Whether visitors can reach this host over HTTPS. */
  async has(host: string): Promise<boolean> {
    return (await this.find(withoutPort(host))) !== undefined;
  }
}

function withoutPort(host: string): string {
  return host.replace(/:\d+$/, "").toLowerCase();
}
