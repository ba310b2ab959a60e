import { expect, test } from "vitest";
import type { SiteContent } from "../db/schema.ts";
import { contentChanges } from "./siteContent.ts";

const empty: SiteContent = { posts: 1, pages: 1, media: 0, comments: 1, users: 1, edited: 0, items: [] };

test("two backups are compared by their counts, plugins and themes", () => {
  const before = {
    ...empty,
    items: [
      ["plugin a", "A", "1"],
      ["plugin b", "B", "1"],
      ["plugin c", "C", "1"],
    ],
  };
  const after = {
    ...empty,
    posts: 4,
    comments: 0,
    edited: 2,
    items: [
      ["plugin a", "A", "1"],
      ["plugin b", "B", "2"],
      ["theme d", "D", "1"],
    ],
  };
  expect(contentChanges("b1", before as SiteContent, { ...after, since: "b1" } as SiteContent)).toEqual({
    counts: { posts: 3, comments: -1 },
    edited: 2,
    installed: ["D"],
    updated: ["B"],
    removed: ["C"],
  });
  const none = { counts: {}, installed: [], updated: [], removed: [] };
  expect(contentChanges("b1", empty, { ...empty, since: "b1" })).toEqual({ ...none, edited: 0 });
  expect(contentChanges("b1", empty, { ...empty, since: "b2" })).toEqual(none);
});
