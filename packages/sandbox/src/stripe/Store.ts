import { randomBytes } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Kind, Objects } from "./objects.ts";
import { StripeFault } from "./StripeFault.ts";

type Stored = Objects[Kind];
type Change = { put: Stored } | { removed: string };

/**
 * All objects, in memory and in an append-only file with one line per transaction, so that a killed process leaves
 * either all changes of a transaction or none. Objects are immutable.
 */
export class Store {
  private readonly objects = new Map<string, Stored>();
  private staged: Change[] = [];
  private undo: [string, Stored | undefined][] = [];
  private readonly file: string | undefined;

  /** Without a file the objects are kept in memory only. */
  constructor(file?: string) {
    this.file = file;
    if (!file) return;
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    if (existsSync(file)) this.replay(readFileSync(file, "utf8"));
    const all: Change[] = [...this.objects.values()].map((put) => ({ put }));
    writeFileSync(`${file}.new`, `${JSON.stringify(all)}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }

  /** Runs one request or click. Its changes are stored together; if it throws, they are rolled back. */
  transaction<Result>(work: () => Result): Result {
    this.staged = [];
    this.undo = [];
    try {
      const result = work();
      if (this.file && this.staged.length > 0) appendFileSync(this.file, `${JSON.stringify(this.staged)}\n`);
      return result;
    } catch (error) {
      for (const [id, old] of this.undo.reverse()) old ? this.objects.set(id, old) : this.objects.delete(id);
      throw error;
    }
  }

  put<K extends Kind>(object: Objects[K] & { object: K }): Objects[K] {
    this.undo.push([object.id, this.objects.get(object.id)]);
    this.objects.set(object.id, object);
    this.staged.push({ put: object });
    return object;
  }

  remove(id: string) {
    this.undo.push([id, this.objects.get(id)]);
    this.objects.delete(id);
    this.staged.push({ removed: id });
  }

  find<K extends Kind>(kind: K, id: string | null | undefined): Objects[K] | undefined {
    const object = id ? this.objects.get(id) : undefined;
    return object?.object === kind ? (object as Objects[K]) : undefined;
  }

  get<K extends Kind>(kind: K, id: string, param = "id"): Objects[K] {
    const object = this.find(kind, id);
    if (object) return object;
    throw new StripeFault(404, `No such ${kind}: '${id}'`, { code: "resource_missing", param });
  }

  /** Finds an object of any kind that the API exposes. */
  any(id: string): Stored | undefined {
    const object = this.objects.get(id);
    return object?.object.startsWith("_") ? undefined : object;
  }

  /** All objects of a kind, newest first. */
  all<K extends Kind>(kind: K): Objects[K][] {
    const found: Objects[K][] = [];
    for (const object of this.objects.values()) if (object.object === kind) found.push(object as Objects[K]);
    return found.reverse();
  }

  private replay(text: string) {
    const lines = text.split("\n");
    lines.pop(); // The last line is empty, or incomplete if the process was killed while writing it.
    for (const line of lines) {
      for (const change of JSON.parse(line) as Change[]) {
        if ("put" in change) this.objects.set(change.put.id, change.put);
        else this.objects.delete(change.removed);
      }
    }
  }
}

export function newId(prefix: string): string {
  // The prefix distinguishes these ids from those of the real Stripe, in case a database ever holds both.
  return `${prefix}_sandbox${randomBytes(9).toString("hex")}`;
}

export function now(): number {
  return Math.floor(Date.now() / 1000);
}
