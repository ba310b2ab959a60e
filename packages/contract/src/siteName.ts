const siteNameMaxLength = 20;
const usernameMaxLength = 12;

/** The wizard shows a line per rule; the server requires all of them. */
export const siteNameRules = {
  longEnough: (name: string) => name.length > 4,
  plainCharacters: (name: string) => /^[a-z0-9]+$/.test(name) && name.length <= siteNameMaxLength,
};

export function normalizeSiteName(typed: string): string {
  // Accents go: an address has none, and "Panadería" is what people type.
  return typed
    .toLowerCase()
    .normalize("NFD")
    .replace(/\s|\p{M}/gu, "")
    .slice(0, siteNameMaxLength);
}

export const usernameRules = {
  longEnough: (username: string) => username.length > 3,
  plainCharacters: (username: string) => /^[A-Za-z0-9_.-]+$/.test(username) && username.length <= usernameMaxLength,
  notAdmin: (username: string) => username !== "" && !/admin/i.test(username),
};

export function normalizeUsername(typed: string): string {
  return typed.replace(/\s/g, "").slice(0, usernameMaxLength);
}

/** Names that we use ourselves, or that visitors would take for ours. */
const reservedNames = new Set(
  "admin api app assets auth billing blog cdn clilogin dashboard demo email example ftp git help hosting imap localhost login mail news nido panel pop3 redux settings shop smtp status support static webmail wordpress".split(
    " ",
  ),
);

export function isReservedName(name: string): boolean {
  return reservedNames.has(name);
}

export function isSiteName(name: string): boolean {
  return Object.values(siteNameRules).every((holds) => holds(name));
}

export function isUsername(username: string): boolean {
  return Object.values(usernameRules).every((holds) => holds(username));
}
