import { ConfigError } from "./config/ConfigError.ts";
import type { StopManner } from "./processes/StopManner.ts";
import { startProduct } from "./processes/startProduct.ts";

const stopTimeout = 4500;
/** A launcher that does not answer is older than this version, or not ours. */
const maxReplacingMs = 360_000;
/** On top of DRAIN_SECONDS. */
const drainTimeout = 40_000;

/** Starts the product and serves until it is told to stop. */
export async function main() {
  const drainSeconds = Number(process.env["DRAIN_SECONDS"] ?? 0);
  const undos: ((manner: StopManner) => Promise<unknown> | unknown)[] = [];
  const starting = startProduct({
    onStop: (undo) => undos.unshift(undo),
    onFailure: (reason) => void end(1, "soon", reason),
  });
  let ending: Promise<void> | undefined;

  /** Undoes the steps of the start in reverse order, even if the start is not complete yet. */
  function end(code: number, manner: StopManner, reason?: unknown): Promise<void> {
    setTimeout(() => process.exit(1), manner === "soon" ? stopTimeout : drainTimeout + drainSeconds * 1000).unref();
    ending ??= (async () => {
      await starting.catch(() => undefined);
      for (const undo of undos) await Promise.resolve(undo(manner)).catch((error) => console.error(error));
      if (reason) console.error(reason instanceof ConfigError ? `Nido cannot start.\n${reason.message}` : reason);
      process.exit(code);
    })();
    return ending;
  }

  for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => void end(0, "soon"));
  process.on("SIGTERM", () => void end(0, drainSeconds > 0 ? "drain" : "soon"));
  process.on("SIGUSR2", () => void end(0, "drain"));
  // Last resort for uncaught exceptions and unhandled rejections. The launcher starts another product, and this one
  // then drains. Where that is not possible, the service manager restarts it.
  process.once("uncaughtException", (error) => {
    console.error(error);
    process.on("uncaughtException", (another) => console.error(another));
    if (!process.send) return void end(1, "drain");
    process.once("message", () => void end(1, "drain"));
    process.send("failed");
    setTimeout(() => void end(1, "drain"), maxReplacingMs).unref();
  });
  await starting.catch((error) => end(1, "soon", error));
  process.send?.("ready");
}
