/** PostgreSQL stores neither NUL nor half a surrogate pair in JSON. */
export function isStorableText(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}
