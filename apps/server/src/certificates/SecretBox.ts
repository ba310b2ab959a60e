import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const [nonceBytes, tagBytes] = [12, 16];

/**
 * Encrypts private keys for the database (AES-256-GCM). The first secret encrypts, and all of them decrypt, so that an
 * operator can replace it. `purpose` is authenticated: a ciphertext cannot be moved to another row.
 */
export class SecretBox {
  private readonly keys: Buffer[];

  constructor(secrets: string[]) {
    this.keys = secrets.map((secret) => derive(secret, "private keys"));
  }

  seal(text: string, purpose: string): Buffer {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv("aes-256-gcm", this.keys[0] as Buffer, nonce).setAAD(Buffer.from(purpose));
    const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return Buffer.concat([nonce, sealed, cipher.getAuthTag()]);
  }

  open(sealed: Buffer, purpose: string): string {
    for (const key of this.keys) {
      try {
        return open(key, sealed, purpose);
      } catch {
        // It was encrypted with another secret.
      }
    }
    throw new Error(`the private key of ${purpose} cannot be decrypted: CERTIFICATES_KEY has changed`);
  }
}

function open(key: Buffer, sealed: Buffer, purpose: string): string {
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, nonceBytes))
    .setAAD(Buffer.from(purpose))
    .setAuthTag(sealed.subarray(-tagBytes));
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()]).toString("utf8");
}

/** A key for one use, derived from an operator's secret. */
export function derive(secret: string, use: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "nido", use, 32));
}
