import ssh2, { type AuthContext } from "ssh2";
import type { Db } from "../../db/connect.ts";
import type { RateLimiter } from "../../http/RateLimiter.ts";
import type { SiteRow } from "../queries.ts";
import { type AccessRow, findByKey, findByPassword, markUsed } from "./accessRows.ts";
import { findOpenSite } from "./openSites.ts";

const methods = ["publickey" as const, "password" as const];
const maxAttempts = 12;
const maxUserLength = 100;

/** Finds out whose files a connection may reach. The user is the project's name, or that of its staging copy. */
export class SshLogin {
  site: SiteRow | undefined;
  access: AccessRow | undefined;
  private readonly db: Db;
  private readonly limiter: RateLimiter;
  private readonly address: string;
  private attempts = 0;
  private user: string | undefined;

  constructor({ db, limiter }: { db: Db; limiter: RateLimiter }, address: string) {
    this.db = db;
    this.limiter = limiter;
    this.address = address;
  }

  /** Resolves to true if the connection is to be closed. */
  async answer(context: AuthContext): Promise<boolean> {
    // Every client asks first which methods there are.
    if (context.method !== "password" && context.method !== "publickey") return refuse(context);
    this.user ??= context.username;
    // A right answer as another user must not excuse the wrong ones.
    if (++this.attempts > maxAttempts || context.username !== this.user || this.user.length > maxUserLength)
      return true;
    if (!(await this.limiter.tryTake("sftpLogin", this.address))) return true;
    const site = await findOpenSite(this.db, this.user);
    const access = site && (await this.findAccess(context, site.stagingOf ?? site.id));
    if (!access) return refuse(context);
    const isQuestion = context.method === "publickey" && !context.signature;
    if (!isQuestion) {
      this.site = site;
      this.access = access;
      // What was right does not count, nor do the keys that a client has offered before.
      await this.limiter.forgive("sftpLogin", this.address, this.attempts);
      await markUsed(this.db, access);
    }
    context.accept();
    return false;
  }

  private async findAccess(context: AuthContext, projectId: string): Promise<AccessRow | undefined> {
    if (context.method === "password")
      return typeof context.password === "string" ? findByPassword(this.db, projectId, context.password) : undefined;
    if (context.method !== "publickey") return undefined;
    const { data, algo } = context.key;
    const access = await findByKey(this.db, projectId, data);
    if (!access || !context.signature) return access;
    const key = ssh2.utils.parseKey(`${algo} ${data.toString("base64")}`);
    if (key instanceof Error || !context.blob) return undefined;
    return key.verify(context.blob, context.signature, context.hashAlgo) === true ? access : undefined;
  }
}

function refuse(context: AuthContext): false {
  context.reject(methods);
  return false;
}
