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
  readonly find = async (servername: string): Promise<SecureContext | undefined> => {
    const certificate = this.files.find(servername) ?? (await this.issued?.find(servername));
    return certificate?.context;
  };

  /** Whether the certificate for `servername` is valid for a Host header, which may have a port. */
  readonly covers = (servername: string, host: string): boolean => {
    const hostname = withoutPort(host);
    if (hostname === servername) return true;
    const certificate = this.files.find(servername) ?? this.issued?.peek(servername);
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
