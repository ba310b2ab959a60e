import { commands } from "./commands.ts";

const maxDistance = 2;

/** The command whose name is most similar to a mistyped one. */
export function closestCommand(typed: string): string | undefined {
  const [closest] = commands
    .map(({ name }) => ({ name, distance: editDistance(name, typed) }))
    .sort((one, other) => one.distance - other.distance);
  return closest && closest.distance <= maxDistance ? closest.name : undefined;
}

/** The Levenshtein distance: how many letters have to be added, removed or replaced. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const letter of from) {
    const next = [(row[0] as number) + 1];
    for (const [index, other] of [...to].entries()) {
      const [left, above, before] = [next[index], row[index + 1], row[index]] as [number, number, number];
      next.push(Math.min(left + 1, above + 1, before + (letter === other ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) as number;
}
