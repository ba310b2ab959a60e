import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const [idBytes, nonceBytes, tagBytes] = [4, 12, 16];

interface Key {
  /** the first bytes of everything that it encrypts */
  id: Buffer;
  secret: Buffer;
}

/**
 * Encrypts secrets for the database (AES-256-GCM). The first secret encrypts, and all of them decrypt, so that an
 * operator can replace it. `purpose` is authenticated: a ciphertext cannot be moved to another row.
 */
export class SecretBox {
  private readonly keys: Key[];

  constructor(secrets: string[]) {
    this.keys = secrets.map((secret) => ({
      id: derive(secret, "key id").subarray(0, idBytes),
      secret: derive(secret, "private keys"),
    }));
  }

  /** The first bytes of everything that the first secret encrypts. */
  get currentId(): Buffer {
    return this.current.id;
  }

  seal(text: string, purpose: string): Buffer {
    const { id, secret } = this.current;
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv("aes-256-gcm", secret, nonce).setAAD(Buffer.from(purpose));
    const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return Buffer.concat([id, nonce, sealed, cipher.getAuthTag()]);
  }

  canOpen(sealed: Buffer): boolean {
    return this.keyOf(sealed) !== undefined;
  }

  open(sealed: Buffer, purpose: string): string {
    const key = this.keyOf(sealed);
    if (!key) throw new Error(`cannot decrypt the secret of ${purpose}: ENCRYPTION_KEY has changed`);
    const nonceEnd = idBytes + nonceBytes;
    const decipher = createDecipheriv("aes-256-gcm", key.secret, sealed.subarray(idBytes, nonceEnd))
      .setAAD(Buffer.from(purpose))
      .setAuthTag(sealed.subarray(-tagBytes));
    return decipher.update(sealed.subarray(nonceEnd, -tagBytes), undefined, "utf8") + decipher.final("utf8");
  }

  private keyOf(sealed: Buffer): Key | undefined {
    return this.keys.find(({ id }) => id.equals(sealed.subarray(0, idBytes)));
  }

  private get current(): Key {
    return this.keys[0] as Key;
  }
}

/** A key for one use, derived from an operator's secret. */
export function derive(secret: string, use: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "nido", use, 32));
}
