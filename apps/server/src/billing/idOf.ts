/** The id of what is one, or, expanded, has one. */
export function idOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return (value as { id?: string } | null | undefined)?.id;
}
