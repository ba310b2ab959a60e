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

/** How long a test waits for what happens by itself; it fails then, and goes on at once before. */
export const patience = { timeout: 20_000, interval: 5 };
