import type { Context } from "../Context.ts";
import { openBrowser } from "../openBrowser.ts";

export async function open(context: Context) {
  const { url } = await context.project();
  openBrowser(url);
  context.terminal.result(url, { url });
}
