interface Options<Item> {
  /** how many items run at a time */
  lanes: number;
  ownerOf: (item: Item) => string;
  /** After this time only the first item of each owner is started. The rest is left for the next run. */
  timeLimit: number;
}

/**
 * Runs work on many items, some at a time. An owner with many slow items delays nobody else: one item of an owner runs at
 * a time, and the first item of each owner comes before the second of any.
 */
export async function runFairly<Item>(
  items: Item[],
  { lanes, ownerOf, timeLimit }: Options<Item>,
  work: (item: Item) => Promise<void>,
) {
  const waiting = inTurns(items, ownerOf);
  const busy = new Set<string>();
  const began = Date.now();

  async function runLane() {
    for (;;) {
      const isLate = Date.now() - began > timeLimit;
      const index = waiting.findIndex(({ owner, rank }) => !busy.has(owner) && !(isLate && rank > 0));
      const [next] = index < 0 ? [] : waiting.splice(index, 1);
      // The rest is late, or belongs to owners whose items run in other lanes. Those lanes will take it.
      if (!next) return;
      busy.add(next.owner);
      try {
        await work(next.item);
      } finally {
        busy.delete(next.owner);
      }
    }
  }
  await Promise.all(Array.from({ length: lanes }, runLane));
}

/** The first item of each owner, then the second of each, and so on. */
function inTurns<Item>(items: Item[], ownerOf: (item: Item) => string) {
  const seen = new Map<string, number>();
  const ranked = items.map((item) => {
    const owner = ownerOf(item);
    const rank = seen.get(owner) ?? 0;
    seen.set(owner, rank + 1);
    return { item, owner, rank };
  });
  return ranked.sort((a, b) => a.rank - b.rank);
}
