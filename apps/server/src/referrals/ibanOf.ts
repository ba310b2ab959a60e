/** What the encryption of a customer's account number is bound to. */
export function ibanOf(userId: string): string {
  return `account number of ${userId}`;
}
