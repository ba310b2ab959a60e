/**
 * Runs work on all items, some at a time. An owner with many slow items delays nobody else: one item of an owner runs at
 * a time, and the first item of each owner comes before the second of any.
 */
export async function runFairly<Item>(
  items: Item[],
  lanes: number,
  ownerOf: (item: Item) => string,
  work: (item: Item) => Promise<void>,
) {
  const waiting = inTurns(items, ownerOf);
  const busy = new Set<string>();

  async function runLane() {
    for (;;) {
      const index = waiting.findIndex((item) => !busy.has(ownerOf(item)));
      const [item] = index < 0 ? [] : waiting.splice(index, 1);
      // The rest belongs to owners whose items run in other lanes. Those lanes will take it.
      if (item === undefined) return;
      busy.add(ownerOf(item));
      try {
        await work(item);
      } finally {
        busy.delete(ownerOf(item));
      }
    }
  }
  await Promise.all(Array.from({ length: lanes }, runLane));
}

/** The first item of each owner, then the second of each, and so on. */
function inTurns<Item>(items: Item[], ownerOf: (item: Item) => string): Item[] {
  const seen = new Map<string, number>();
  const ranked = items.map((item) => {
    const rank = seen.get(ownerOf(item)) ?? 0;
    seen.set(ownerOf(item), rank + 1);
    return { item, rank };
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ item }) => item);
}
