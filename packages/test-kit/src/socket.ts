import type { CustomerState } from "@nido/contract";
import { applyDiff, type Diff } from "@nido/redux-remote";
import { expect, onTestFinished, vi } from "vitest";
import { WebSocket } from "ws";

/** A browser's end of the socket: everything it was sent, and how it was closed. */
export async function openSocket(address: string, headers: Record<string, string>) {
  const socket = new WebSocket(`ws://${address}/redux`, { headers });
  onTestFinished(() => socket.terminate());
  const messages: Record<string, unknown>[] = [];
  const closes: number[] = [];
  const refusals: number[] = [];
  socket.on("message", (data) => messages.push(JSON.parse(String(data))));
  socket.on("close", (code) => closes.push(code));
  socket.on("unexpected-response", (_request, response) => refusals.push(response.statusCode ?? 0));
  socket.on("error", () => undefined);
  await vi.waitFor(() => expect(messages.length + closes.length + refusals.length).toBeGreaterThan(0), patience);
  return { socket, messages, closes, refusals };
}

/** What a client that applies every message holds; throws on a gap. */
export function follow(messages: Record<string, unknown>[]): CustomerState {
  let state: CustomerState | undefined;
  for (const message of messages) {
    if (!("diff" in message)) {
      state = message as unknown as CustomerState;
      continue;
    }
    const diff = message["diff"] as Diff;
    const rev = (diff["rev"] as { v: number }).v;
    if (!state || rev > state.rev + 1) throw new Error(`a gap: ${state?.rev} to ${rev}`);
    if (rev === state.rev + 1) state = applyDiff(state, diff);
  }
  return state as CustomerState;
}

/** How long a test waits for what happens by itself; it fails then, and goes on at once before. */
export const patience = { timeout: 20_000, interval: 5 };
