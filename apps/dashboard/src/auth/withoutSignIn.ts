const signInParameters = ["signin_error", "second_factor"];

/** The path and query that the visitor opened, without what an unfinished Google sign-in appended. */
export function withoutSignIn({ pathname, search }: { pathname: string; search: string }): string {
  const query = new URLSearchParams(search);
  if (!signInParameters.some((name) => query.has(name))) return pathname + search;
  for (const name of signInParameters) query.delete(name);
  return query.size > 0 ? `${pathname}?${query}` : pathname;
}

/** Loads the page again with the new session. */
export function reloadSignedIn(here: string) {
  history.replaceState(null, "", here);
  location.reload();
}
