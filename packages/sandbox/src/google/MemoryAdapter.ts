import type { Adapter, AdapterPayload } from "oidc-provider";

/** Keeps the records of the OpenID provider in memory. The provider creates one instance per kind of record. */
export class MemoryAdapter implements Adapter {
  private readonly records = new Map<string, AdapterPayload>();

  async upsert(id: string, payload: AdapterPayload, expiresIn: number) {
    this.records.set(id, payload);
    setTimeout(() => this.records.delete(id), expiresIn * 1000).unref();
  }

  async find(id: string) {
    return this.records.get(id);
  }

  async findByUid(uid: string) {
    return [...this.records.values()].find((record) => record.uid === uid);
  }

  async findByUserCode(userCode: string) {
    return [...this.records.values()].find((record) => record.userCode === userCode);
  }

  async consume(id: string) {
    const record = this.records.get(id);
    if (record) record.consumed = Math.floor(Date.now() / 1000);
  }

  async destroy(id: string) {
    this.records.delete(id);
  }

  async revokeByGrantId(grantId: string) {
    for (const [id, record] of this.records) if (record.grantId === grantId) this.records.delete(id);
  }
}
