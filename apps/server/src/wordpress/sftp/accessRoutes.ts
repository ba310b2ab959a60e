import { createPublicKey } from "node:crypto";
import { maxAccessKeys, type NewPassword, newAccessKeySchema, type SftpAddress, type SiteAccess } from "@nido/contract";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import ssh2 from "ssh2";
import { z } from "zod";
import { record } from "../../activity/record.ts";
import { requireRecentProof } from "../../auth/proofs.ts";
import { idParams } from "../../http/idParams.ts";
import { mailCustomer } from "../../mail/queueMail.ts";
import { AppError } from "../../platform/AppError.ts";
import type { SiteRow } from "../queries.ts";
import { requireOwnSite } from "../requireOwnSite.ts";
import type { SiteApi } from "../SiteApi.ts";
import type { SiteOwner } from "../SiteOwner.ts";
import { addKey, findAccess, makePassword, removeKey, removePassword } from "./accessRows.ts";
import { fingerprintOf } from "./hostKey.ts";

const minRsaBits = 2048;

/** The access to a site's files by SFTP. Whoever has it can do anything with the site, so it needs a recent proof. */
export function accessRoutes(scope: FastifyInstance, prefix: string, api: SiteApi, sftp: SftpAddress | undefined) {
  const { wordpress, adjust } = api;
  const { db } = wordpress;
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const path = `${prefix}/access`;
  const config = { rateLimit: "siteCare" } as const;

  app.get(path, { config, schema: { params: idParams } }, async ({ owner, params }): Promise<SiteAccess> => {
    const site = await requireOwnSite(db, owner, params.id);
    const rows = await findAccess(db, site.id);
    const password = rows.find(({ publicKey }) => publicKey === null);
    return {
      sftp: addressOf(site) ?? null,
      user: site.name,
      ...(password?.expiresAt && { password_until: password.expiresAt.toISOString() }),
      keys: rows.flatMap(({ id, name, publicKey, createdAt, lastUsedAt }) =>
        publicKey === null
          ? []
          : {
              id,
              name,
              fingerprint: fingerprintOf(Buffer.from(publicKey, "base64")),
              created_at: createdAt.toISOString(),
              ...(lastUsedAt && { last_used_at: lastUsedAt.toISOString() }),
            },
      ),
    };
  });

  app.post(`${path}/password`, { config, schema: { params: idParams } }, async ({ session, owner, params }) => {
    requireRecentProof(session);
    const site = await requireSite(owner, params.id);
    let made: NewPassword | undefined;
    await adjust(site, async (tx) => {
      const { password, until } = await makePassword(tx, site.id);
      made = { password, until: until.toISOString() };
      await mailCustomer(tx, owner.userId, "accessAdded", { projectId: site.id, name: site.name, key: null });
      const activity = { kind: "accessPasswordMade", params: { project: site.name }, projectId: site.id } as const;
      await record(tx, owner.userId, owner.actor, activity);
    });
    return made;
  });

  app.delete(`${path}/password`, { config, schema: { params: idParams } }, async ({ owner, params }) => {
    const site = await requireSite(owner, params.id);
    await adjust(site, async (tx) => {
      if (!(await removePassword(tx, site.id))) throw new AppError("error_not_found");
      const entry = { kind: "accessPasswordRemoved", params: { project: site.name }, projectId: site.id } as const;
      await record(tx, owner.userId, owner.actor, entry);
    });
    return { ok: true };
  });

  const adding = { config, schema: { params: idParams, body: newAccessKeySchema } };
  app.post(`${path}/keys`, adding, async ({ session, owner, params, body }) => {
    requireRecentProof(session);
    const site = await requireSite(owner, params.id);
    const key = parsePublicKey(body.key);
    await adjust(site, async (tx) => {
      const keys = (await findAccess(tx, site.id)).filter(({ publicKey }) => publicKey !== null);
      if (keys.length >= maxAccessKeys) throw new AppError("error_access_limit");
      if (!(await addKey(tx, site.id, body.name, key))) return;
      await mailCustomer(tx, owner.userId, "accessAdded", { projectId: site.id, name: site.name, key: body.name });
      const params = { project: site.name, key: body.name };
      await record(tx, owner.userId, owner.actor, { kind: "accessKeyAdded", params, projectId: site.id });
    });
    return { ok: true };
  });

  const removing = { config, schema: { params: idParams.extend({ key: z.string().max(60) }) } };
  app.delete(`${path}/keys/:key`, removing, async ({ owner, params }) => {
    const site = await requireSite(owner, params.id);
    await adjust(site, async (tx) => {
      const key = await removeKey(tx, site.id, params.key);
      if (key === undefined) throw new AppError("error_not_found");
      const entry = { kind: "accessKeyRemoved", params: { project: site.name, key }, projectId: site.id } as const;
      await record(tx, owner.userId, owner.actor, entry);
    });
    return { ok: true };
  });

  async function requireSite(owner: SiteOwner, id: string): Promise<SiteRow> {
    const site = await requireOwnSite(db, owner, id);
    if (!addressOf(site)) throw new AppError("error_access_off");
    return site;
  }

  function addressOf(site: SiteRow): SftpAddress | undefined {
    return site.runtime === "local" ? sftp : undefined;
  }
}

/** Not a private key, which a customer may paste by mistake, and none that can be broken. */
function parsePublicKey(text: string): Buffer {
  try {
    const key = ssh2.utils.parseKey(text);
    if (key instanceof Error) throw key;
    const { modulusLength = minRsaBits } = createPublicKey(key.getPublicPEM()).asymmetricKeyDetails ?? {};
    const isKnown = /^(ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp\d+)$/.test(key.type);
    if (isKnown && !key.isPrivateKey() && modulusLength >= minRsaBits) return key.getPublicSSH();
  } catch {
    // It is malformed.
  }
  throw new AppError("error_access_key");
}
