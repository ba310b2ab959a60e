import { isatty } from "node:tty";
import { styleText } from "node:util";
import { readline } from "./lazyBuiltins.ts";

type Style = Parameters<typeof styleText>[0];

/** What a site or a stranger has written must not control the terminal. */
const controls = /[^\P{Cc}\n\t]/gu;

/** Output and prompts. Only results go to stdout; everything else goes to stderr. */
export class Terminal {
  readonly isJson: boolean;
  readonly isInteractive: boolean;
  private readonly isPlain: boolean;
  private isBarShown = false;

  constructor({ isJson, isPlain }: { isJson: boolean; isPlain: boolean }) {
    this.isJson = isJson;
    this.isInteractive = isatty(0) && isatty(2) && !process.env["CI"];
    this.isPlain = isPlain || !isatty(2) || Boolean(process.env["NO_COLOR"]) || process.env["TERM"] === "dumb";
  }

  /** Prints the result of a command, as text or as JSON. */
  result(text: string, data: unknown) {
    process.stdout.write(this.isJson ? `${JSON.stringify(data)}\n` : `${text.replace(controls, " ")}\n`);
  }

  /** Prints one item per line. The text for an empty list goes to stderr, since it is no result. */
  list(lines: string[], data: unknown, none: string) {
    if (lines.length > 0 || this.isJson) this.result(lines.join("\n"), data);
    else if (none) this.say(none);
  }

  /** Prints a result that only exists as JSON. */
  data(data: unknown) {
    if (this.isJson) this.result("", data);
  }

  say(text: string) {
    this.endBar();
    process.stderr.write(`${text}\n`);
  }

  warn(text: string) {
    this.say(`${this.paint("yellow", "!")} ${text}`);
  }

  succeed(text: string) {
    this.say(`${this.paint("green", "✓")} ${text}`);
  }

  paint(style: Style, text: string): string {
    return this.isPlain ? text : styleText(style, text, { validateStream: false });
  }

  /** Not in CI, and not without a terminal. */
  get hasProgress(): boolean {
    return isatty(2) && !process.env["CI"];
  }

  /** Draws a progress bar that overwrites itself. */
  progress(label: string, part: number) {
    if (!this.hasProgress) return;
    const width = 24;
    const full = Math.round(Math.min(part, 1) * width);
    const bar = `${"█".repeat(full)}${"░".repeat(width - full)}`;
    process.stderr.write(`\r\x1b[2K${label} ${this.paint("green", bar)} ${Math.floor(part * 100)} %`);
    this.isBarShown = true;
  }

  endBar() {
    if (this.isBarShown) process.stderr.write("\r\x1b[2K");
    this.isBarShown = false;
  }

  /** Asks the user for a line; undefined if they cancel with Ctrl-C or Ctrl-D. */
  prompt(question: string): Promise<string | undefined> {
    // The terminal itself echoes and edits the line; an interface that did would echo twice from the second question on.
    const lines = readline().createInterface({ input: process.stdin, output: process.stderr, terminal: false });
    return new Promise((resolve) => {
      const end = (answer?: string) => {
        process.off("SIGINT", cancel);
        lines.off("close", cancel);
        lines.close();
        resolve(answer?.trim());
      };
      const cancel = () => {
        process.stderr.write("\n");
        end();
      };
      process.once("SIGINT", cancel);
      lines.once("close", cancel);
      lines.question(`${question} `, end);
    });
  }
}
