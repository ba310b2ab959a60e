/** The id in a field of the provider, which holds either the id or the expanded object. */
export function idOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return (value as { id?: string } | null | undefined)?.id;
}
