import type { Db } from "../db/connect.ts";
import type { SecretBox } from "../platform/SecretBox.ts";
import { type AccountBinding, AcmeClient } from "./acme/AcmeClient.ts";
import { deleteAccount, findAccount, insertAccount, setAccountUrl } from "./orderQueries.ts";
import { createKeys, keysFromPem, toPem } from "./x509.ts";

/** A certificate authority, and how we register with it. */
export interface Authority {
  /** the address of its directory */
  directory: string;
  email: string | undefined;
  binding: AccountBinding | undefined;
}

/** The configured certificate authorities, the preferred one first, and our account at each. */
export class Authorities {
  readonly list: Authority[];
  private readonly db: Db;
  private readonly box: SecretBox;
  private readonly clients = new Map<string, Promise<AcmeClient>>();

  constructor(list: Authority[], db: Db, box: SecretBox) {
    this.list = list;
    this.db = db;
    this.box = box;
  }

  /** The authority for the next order. It changes after every two failures. */
  choose(failures: number): Authority {
    return this.list[Math.floor(failures / 2) % this.list.length] as Authority;
  }

  open(directory: string): Promise<AcmeClient> {
    const known = this.clients.get(directory) ?? this.register(directory);
    this.clients.set(directory, known);
    known.catch(() => this.clients.delete(directory));
    return known;
  }

  /** Called if the authority no longer knows our account, which is then registered again before the next order. */
  async forgetAccount(directory: string) {
    this.clients.delete(directory);
    await setAccountUrl(this.db, directory, null);
  }

  private async register(directory: string): Promise<AcmeClient> {
    const authority = this.list.find((each) => each.directory === directory);
    if (!authority) throw new Error(`certificate authority ${directory} is not configured any more`);
    const known = await findAccount(this.db, directory);
    // If ENCRYPTION_KEY was lost, the account's key cannot be decrypted: we need another account.
    if (known && !this.box.canOpen(known.key)) await deleteAccount(this.db, directory, known.key);
    if (!known || !this.box.canOpen(known.key)) {
      const { privateKey } = await createKeys();
      await insertAccount(this.db, directory, this.box.seal(toPem(privateKey), directory));
    }
    // Another process may have inserted it first. Then that key is used.
    const account = await findAccount(this.db, directory);
    if (!account) throw new Error(`the account at ${directory} could not be stored`);
    const keys = await keysFromPem(this.box.open(account.key, directory));
    const client = new AcmeClient({ directory, keys, account: account.url ?? undefined });
    if (!account.url)
      await setAccountUrl(this.db, directory, await client.register(authority.email, authority.binding));
    return client;
  }
}
