import type { CustomerState } from "@nido/contract";
import { applyDiff, type Diff } from "@nido/redux-remote";
import { onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { waitUntil } from "./waitUntil.ts";

/** The browser's end of the state socket: the messages it received, and how it was closed. */
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
  const countEvents = () => messages.length + closes.length + refusals.length;
  await waitUntil("the server sends the state, or closes or refuses the socket", countEvents, (count) => count > 0);
  return { socket, messages, closes, refusals };
}

/** The state of a client that applies every message. Throws on a gap between revisions. */
export function follow(messages: Record<string, unknown>[]): CustomerState {
  let state: CustomerState | undefined;
  for (const message of messages) {
    if (!("diff" in message)) {
      state = message as unknown as CustomerState;
      continue;
    }
    const diff = message["diff"] as Diff;
    const rev = (diff["rev"] as { v: number }).v;
    if (!state || rev > state.rev + 1) throw new Error(`A gap between revisions: ${state?.rev} to ${rev}`);
    if (rev === state.rev + 1) state = applyDiff(state, diff);
  }
  return state as CustomerState;
}
