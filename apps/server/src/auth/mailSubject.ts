/** The subject of a limit on mail to an address: spellings that reach the same mailbox count together. */
export function mailSubject(email: string): string {
  return email.toLowerCase().replace(/\+[^@]*@/, "@");
}
