/** An invitation is remembered: who leaves the wizard and comes back another day still has its discount. */
const key = "promo";

export function rememberInvitation(code: string) {
  localStorage.setItem(key, code);
}

export function rememberedInvitation(): string | undefined {
  return localStorage.getItem(key) ?? undefined;
}

export function forgetInvitation() {
  localStorage.removeItem(key);
}
