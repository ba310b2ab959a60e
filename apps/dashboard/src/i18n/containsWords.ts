/** Whether all words occur in the text, in any order and without regard to case and accents. */
export function containsWords(text: string, words: string): boolean {
  const plainText = plain(text);
  return plain(words)
    .split(/\s+/)
    .every((word) => plainText.includes(word));
}

function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
