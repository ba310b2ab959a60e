const mark = "<!-- nido:unfinished -->";

/** Whether PHP failed after it had sent a part of the page (`record-fatal.php`). */
export function isUnfinished(page: Buffer | string): boolean {
  return page.includes(mark);
}
