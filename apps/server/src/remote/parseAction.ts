import type { RemoteAction } from "@nido/redux-remote";
import { parse } from "secure-json-parse";
import { z } from "zod";
import { AppError } from "../platform/AppError.ts";

const envelope = z.strictObject({ type: z.string(), payload: z.unknown() });

export function parseAction(body: unknown): RemoteAction {
  const parsed = envelope.safeParse(body);
  if (!parsed.success) throw new AppError("error_invalid_input");
  return { type: parsed.data.type, payload: parsed.data.payload };
}

/** The same for a WebSocket message. It refuses prototype pollution, as Fastify does for bodies. */
export function parseActionText(text: string): RemoteAction {
  try {
    return parseAction(parse(text, null, { protoAction: "error", constructorAction: "error" }));
  } catch {
    throw new AppError("error_invalid_input");
  }
}
