import type { RemoteAction } from "@nido/redux-remote";
import { parse } from "secure-json-parse";
import { z } from "zod";
import { AppError } from "../platform/AppError.ts";

const envelope = z.strictObject({ type: z.string(), payload: z.unknown(), until: z.number().optional() });

export function parseAction(body: unknown): RemoteAction {
  const parsed = envelope.safeParse(body);
  if (!parsed.success) throw new AppError("error_invalid_input");
  const { type, payload, until = Number.POSITIVE_INFINITY } = parsed.data;
  // The network held it back, and the customer has been told that it failed.
  if (Date.now() > until) throw new AppError("error_network");
  return { type, payload };
}

/** The same for a WebSocket message. It refuses prototype pollution, as Fastify does for bodies. */
export function parseActionText(text: string): RemoteAction {
  return parseAction(read(text));
}

function read(text: string): unknown {
  try {
    return parse(text, null, { protoAction: "error", constructorAction: "error" });
  } catch {
    throw new AppError("error_invalid_input");
  }
}
