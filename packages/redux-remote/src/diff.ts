export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** Maps dotted paths to changes: op 0 sets the value `v`, op 1 deletes. */
export type Diff = { [path: string]: { op: 0; v: Json } | { op: 1 } };

/** Any JSON object. Not a Record, because interfaces have no index signature. */
export type StateObject = object;
type Node = Record<string, Json>;

const forbidden = new Set(["__proto__", "prototype", "constructor"]);

export class DiffError extends Error {
  override name = "DiffError";
}

/** The diff that turns `before` into `after`. Objects are compared key by key; arrays and other values as a whole. */
export function createDiff(before: StateObject, after: StateObject): Diff {
  const diff: Diff = {};
  compare(before as Node, after as Node, [], diff);
  return diff;
}

/** Returns the state with the diff applied. Does not mutate `state`, and shares its unchanged parts. */
export function applyDiff<State extends StateObject>(state: State, diff: Diff): State {
  let result = state as Node;
  for (const [path, change] of Object.entries(diff)) result = changeAt(result, path.split(".").map(checked), change);
  return result as State;
}

function compare(before: Node, after: Node, path: string[], diff: Diff) {
  for (const key of Object.keys(before)) {
    if (!Object.hasOwn(after, key)) diff[join(path, key)] = { op: 1 };
  }
  for (const [key, value] of Object.entries(after)) {
    const old = Object.hasOwn(before, key) ? before[key] : undefined;
    if (isNode(old) && isNode(value) && hasPaths(old) && hasPaths(value))
      compare(old, value, [...path, checked(key)], diff);
    else if (!isEqual(old, value)) diff[join(path, key)] = { op: 0, v: value };
  }
}

function changeAt(node: Node, [key = "", ...rest]: string[], change: Diff[string]): Node {
  if (rest.length > 0) {
    const child = Object.hasOwn(node, key) ? node[key] : undefined;
    if (!isNode(child)) throw new DiffError(`Diff path leads through "${key}", which is not an object`);
    return { ...node, [key]: changeAt(child, rest, change) };
  }
  if (change.op === 0) return { ...node, [key]: change.v };
  const { [key]: _, ...others } = node;
  return others;
}

function join(path: string[], key: string): string {
  if (key.includes(".")) throw new DiffError(`Key "${key}" contains a dot, which separates the parts of a diff path`);
  return [...path, checked(key)].join(".");
}

function checked(key: string): string {
  if (forbidden.has(key)) throw new DiffError(`Key "${key}" is not allowed in a diff (prototype pollution)`);
  return key;
}

/** Diff paths cannot lead into an object that has a key with a dot, so such an object is replaced as a whole. */
function hasPaths(node: Node): boolean {
  return Object.keys(node).every((key) => !key.includes("."));
}

function isNode(value: Json | undefined): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isEqual(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => isEqual(item, b[i]));
  if (!isNode(a) || !isNode(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key], b[key]));
}
