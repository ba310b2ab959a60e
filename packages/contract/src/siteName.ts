export const siteNameMaxLength = 20;
export const usernameMaxLength = 12;

/** One line of the naming step each; the server requires all of them. */
export const siteNameRules = {
  longEnough: (name: string) => name.length > 4,
  plainCharacters: (name: string) => /^[a-z0-9]{1,20}$/.test(name),
};

export function normalizeSiteName(typed: string): string {
  return typed.toLowerCase().replace(/\s/g, "");
}

export const usernameRules = {
  longEnough: (username: string) => username.length > 3,
  plainCharacters: (username: string) => /^[A-Za-z0-9_.-]{1,12}$/.test(username),
  notAdmin: (username: string) => username !== "" && !/admin/i.test(username),
};

export function normalizeUsername(typed: string): string {
  return typed.replace(/\s/g, "").slice(0, usernameMaxLength);
}
