/** The path and query a visitor came for, without the failure that the last sign-in added to it. */
export function withoutError({ pathname, search }: { pathname: string; search: string }): string {
  const query = new URLSearchParams(search);
  if (!query.has("signin_error")) return pathname + search;
  query.delete("signin_error");
  return query.size > 0 ? `${pathname}?${query}` : pathname;
}
