const words = /(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/gs;
const parts = /\\(.)|"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\s"'\\]+)/gs;

/** Splits a command as a shell does, with quotes and backslashes. Undefined if a quote is not closed. */
export function splitCommand(text: string): string[] | undefined {
  if (text.replace(words, "").trim() !== "") return;
  return (text.match(words) ?? []).map((word) =>
    word.replace(parts, (_, escaped, double, single, plain) =>
      double === undefined ? (escaped ?? single ?? plain) : double.replace(/\\(["\\$`])/g, "$1"),
    ),
  );
}
