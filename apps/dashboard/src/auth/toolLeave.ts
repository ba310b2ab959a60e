import { api, post } from "../api/api.ts";
import { serverPaths } from "../paths.ts";

/** What a tool on this machine asked for, by the address that it opened. */
export interface ToolQuestion {
  port: number;
  state: string;
  challenge: string;
  tool: string;
}

export function readQuestion(query: URLSearchParams): ToolQuestion | undefined {
  const [port, state, challenge] = [Number(query.get("port")), query.get("state"), query.get("challenge")];
  if (!Number.isInteger(port) || port < 1 || port > 65535 || !state || !challenge) return undefined;
  return { port, state, challenge, tool: (query.get("tool") ?? "?").slice(0, 80) };
}

/** Gives leave and returns where the tool waits for it: a port of this machine, and nowhere else. */
export async function giveLeave({ port, state, challenge, tool }: ToolQuestion): Promise<string> {
  const { code } = await api<{ code: string }>(serverPaths.toolLeave, post({ challenge, tool }));
  return toolAddress(port, { state, code });
}

export function refuseLeave({ port, state }: ToolQuestion): string {
  return toolAddress(port, { state });
}

function toolAddress(port: number, query: Record<string, string>): string {
  return `http://127.0.0.1:${port}/?${new URLSearchParams(query)}`;
}

/** The code that a tool elsewhere shows, as it should be written; undefined for what cannot be one. */
export function readCode(typed: string): string | undefined {
  const letters = typed.toUpperCase().replace(/[^A-Z]/g, "");
  return letters.length === 8 ? `${letters.slice(0, 4)}-${letters.slice(4)}` : undefined;
}

export function findTool(code: string, signal: AbortSignal): Promise<{ tool: string }> {
  return api(serverPaths.toolCode(code), { signal });
}

export function answerTool(code: string, allow: boolean): Promise<unknown> {
  return api(serverPaths.toolCode(code), post({ allow }));
}
