import { api, post } from "../api/api.ts";
import { serverPaths } from "../paths.ts";

/** The CLI's request for a grant, from the address that it opened in this machine's browser. */
export interface GrantRequest {
  /** where the CLI listens on the loopback address */
  port: number;
  state: string;
  /** PKCE: the hash of a verifier that only the CLI knows */
  challenge: string;
  /** the name of the machine that the CLI runs on */
  machine: string;
}

export function readGrantRequest(query: URLSearchParams): GrantRequest | undefined {
  const [port, state, challenge] = [Number(query.get("port")), query.get("state"), query.get("challenge")];
  if (!Number.isInteger(port) || port < 1 || port > 65535 || !state || !challenge) return undefined;
  return { port, state, challenge, machine: (query.get("machine") ?? "?").slice(0, 80) };
}

/** Grants access and returns the loopback address that hands the CLI its code. Never another host: the code is a secret. */
export async function grantAccess({ port, state, challenge, machine }: GrantRequest): Promise<string> {
  const { code } = await api<{ code: string }>(serverPaths.cliGrants, post({ challenge, machine }));
  return loopbackAddress(port, { state, code });
}

/** The loopback address that tells the CLI that access was denied. */
export function denialAddress({ port, state }: GrantRequest): string {
  return loopbackAddress(port, { state });
}

function loopbackAddress(port: number, query: Record<string, string>): string {
  return `http://127.0.0.1:${port}/?${new URLSearchParams(query)}`;
}

/** Normalizes the code that a CLI on another machine shows; undefined if it cannot be one. */
export function readUserCode(typed: string): string | undefined {
  const letters = typed.toUpperCase().replace(/[^A-Z]/g, "");
  return letters.length === 8 ? `${letters.slice(0, 4)}-${letters.slice(4)}` : undefined;
}

/** The machine that waits for an answer to this code. */
export async function findDevice(userCode: string, signal: AbortSignal): Promise<string> {
  const { machine } = await api<{ machine: string }>(serverPaths.cliDevice(userCode), { signal });
  return machine;
}

export function answerDevice(userCode: string, allow: boolean): Promise<unknown> {
  return api(serverPaths.cliDevice(userCode), post({ allow }));
}
