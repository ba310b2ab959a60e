import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import type { CommandEvent } from "@nido/contract";
import { AppError } from "../../platform/AppError.ts";
import type { WordPress } from "../WordPress.ts";
import { RuntimeFailed, type Site } from "../WordPressRuntime.ts";

/** PHP is ended after 150 seconds in any case. */
const timeoutSeconds = 140;
const maxOutputBytes = 8 * 2 ** 20;

/** Runs WP-CLI in a site. Resolves once it runs; everything that it prints is an event, and so is its end. */
export async function runCommand(wordpress: WordPress, site: Site, args: string[], signal: AbortSignal) {
  const request = {
    method: "GET",
    url: "/",
    headers: { host: new URL(site.url).host },
    visitor: "127.0.0.1",
    script: { in: "nido", path: "cli.php" },
    server: { NIDO_CLI: JSON.stringify(args) },
    seconds: timeoutSeconds,
    signal,
  } as const;
  const { status, body } = await wordpress.answer(site, request).catch((error) => {
    if (error instanceof RuntimeFailed) throw new AppError("error_wordpress_silent");
    throw error;
  });
  const stop = () => body.destroy();
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  // If nobody reads the events, nobody else would listen for this.
  body.on("error", () => undefined);
  if (status === 200) return readEvents(body);
  stop();
  throw new AppError(status === 501 ? "error_command_missing" : "error_wordpress_silent");
}

/** Ends without an exit code if PHP took too long, printed too much or died. */
async function* readEvents(body: Readable): AsyncGenerator<CommandEvent> {
  const decoders = { out: new StringDecoder(), err: new StringDecoder() };
  let [bytes, rest] = [0, ""];
  let exit: number | undefined;
  try {
    // Our own lines are ASCII; what a plugin has printed past WP-CLI may be anything.
    for await (const chunk of body.setEncoding("latin1")) {
      bytes += chunk.length;
      if (bytes > maxOutputBytes) return;
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      const printed: { kind: "out" | "err"; text: string }[] = [];
      for (const line of lines) {
        const [first = "", value = ""] = line.split(" ", 2);
        if (first === "exit") {
          exit = Number(value) || 0;
          continue;
        }
        const kind = first === "err" ? "err" : "out";
        const isOwn = first === "out" || first === "err";
        const text = isOwn
          ? decoders[kind].write(Buffer.from(value, "base64"))
          : Buffer.from(`${line}\n`, "latin1").toString();
        const last = printed.at(-1);
        // One event for all that follows each other: there may be very many lines.
        if (last?.kind === kind) last.text += text;
        else if (text) printed.push({ kind, text });
      }
      for (const { kind, text } of printed) yield kind === "out" ? { out: text } : { err: text };
    }
  } catch {
    return;
  } finally {
    body.destroy();
  }
  // Not before PHP has ended, and has reported what has changed.
  if (exit !== undefined) yield { exit };
}
