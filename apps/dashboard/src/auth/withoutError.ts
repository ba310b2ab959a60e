/** The path and query that the visitor opened, without the error that a failed Google sign-in appended. */
export function withoutError({ pathname, search }: { pathname: string; search: string }): string {
  const query = new URLSearchParams(search);
  if (!query.has("signin_error")) return pathname + search;
  query.delete("signin_error");
  return query.size > 0 ? `${pathname}?${query}` : pathname;
}
