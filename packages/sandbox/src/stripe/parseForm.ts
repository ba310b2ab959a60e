import { StripeFault } from "./StripeFault.ts";

type Value = string | Value[] | { [key: string]: Value };

/** Parses `a[b][0]=c` into `{a: {b: ["c"]}}`. */
export function parseForm(text: string): Record<string, Value> {
  const root: Record<string, Value> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/\[|\]\[|\]/).filter((part, index, parts) => index < parts.length - 1 || part !== "");
    if (path.some((part) => part === "__proto__")) throw new StripeFault(400, `Invalid parameter: ${name}`);
    setAt(root, path, value);
  }
  return Object.fromEntries(Object.entries(root).map(([key, value]) => [key, asArrays(value)]));
}

function setAt(target: Record<string, Value>, [head = "", ...rest]: string[], value: string) {
  const key = head === "" ? String(Object.keys(target).length) : head;
  if (rest.length === 0) {
    target[key] = value;
    return;
  }
  const inner = target[key];
  const next = typeof inner === "object" && !Array.isArray(inner) ? inner : {};
  target[key] = next;
  setAt(next, rest, value);
}

function asArrays(value: Value): Value {
  if (typeof value === "string" || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([key, inner]): [string, Value] => [key, asArrays(inner)]);
  const isList = entries.length > 0 && entries.every(([key]) => /^\d+$/.test(key));
  return isList ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}
