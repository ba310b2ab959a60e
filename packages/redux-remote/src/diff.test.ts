import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyDiff, createDiff, type Diff, DiffError } from "./diff.ts";

const forbidden = ["__proto__", "prototype", "constructor"];
// No quotes or backslashes: after parsing the key "\\\\", V8 13.6 also reads the key "\\"" as that key.
const key = fc.string({ maxLength: 3 }).filter((text) => !/[."\\]/.test(text) && !forbidden.includes(text));
const dottedKey = fc.constantFrom("a.b", ".", "x.");
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom(null, true, false, 0, 1, "", "a", "b"),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(key, tie("value"), { maxKeys: 4 }),
    fc.dictionary(fc.oneof(key, dottedKey), tie("value"), { maxKeys: 2 }),
  ),
}));
// Few keys, so that two random states share many of them.
const state = fc.dictionary(fc.constantFrom("a", "b", "c", "user", ""), value, { maxKeys: 5 }) as fc.Arbitrary<object>;

describe("a diff", () => {
  test("turns any state into any other, even after JSON serialisation", () => {
    fc.assert(
      fc.property(state, state, (before, after) => {
        const diff = JSON.parse(JSON.stringify(createDiff(before, after))) as Diff;
        expect(applyDiff(before, diff)).toEqual(after);
      }),
      { numRuns: 2000 },
    );
  });

  test("is empty between equal states", () => {
    fc.assert(
      fc.property(state, (one) => {
        expect(createDiff(one, structuredClone(one))).toEqual({});
      }),
    );
  });

  test("does not mutate the old state and shares its unchanged parts", () => {
    const before = { user: { phone: "1" }, projects: { p1: { name: "a" } } };
    const after = applyDiff(before, { "user.phone": { op: 0, v: "2" } });
    expect(before.user.phone).toBe("1");
    expect(after.projects).toBe(before.projects);
  });

  test("has the documented shape", () => {
    const before = { user: { phone: "" }, projects: { p1: { domains: { d1: 1, d2: 2 } } } };
    const after = { user: { phone: "+34 600" }, projects: { p1: { domains: { d1: 1 } } } };
    expect(createDiff(before, after)).toEqual({
      "user.phone": { op: 0, v: "+34 600" },
      "projects.p1.domains.d2": { op: 1 },
    });
  });

  test.each(forbidden)("with the segment %s is rejected when created and when applied", (segment) => {
    const hostile = JSON.parse(`{"a": {"${segment}": 1}}`);
    expect(() => createDiff({ a: {} }, hostile)).toThrow(DiffError);
    expect(() => applyDiff({ a: {} }, { [`a.${segment}.polluted`]: { op: 0, v: true } })).toThrow(DiffError);
    expect(() => applyDiff({ a: {} }, { [segment]: { op: 1 } })).toThrow(DiffError);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test("with a path through a missing object is rejected", () => {
    expect(() => applyDiff({ a: 1 }, { "a.b": { op: 0, v: 1 } })).toThrow(DiffError);
    expect(() => applyDiff({}, { "toString.b": { op: 0, v: 1 } })).toThrow(DiffError);
  });
});
