import { ConfigError } from "./config/ConfigError.ts";
import { startProduct } from "./processes/startProduct.ts";

const shutdownTimeout = 4500;

/** Starts the product and serves until it is told to stop. */
export async function main() {
  const undos: (() => Promise<unknown> | unknown)[] = [];
  const starting = startProduct({
    onStop: (undo) => undos.unshift(undo),
    onFailure: (reason) => void end(1, reason),
  });
  let ending: Promise<void> | undefined;

  /** Undoes the steps of the start in reverse order, even if the start is not complete yet. */
  function end(code: number, reason?: unknown): Promise<void> {
    ending ??= (async () => {
      setTimeout(() => process.exit(1), shutdownTimeout).unref();
      await starting.catch(() => undefined);
      for (const undo of undos) await Promise.resolve(undo()).catch((error) => console.error(error));
      if (reason) console.error(reason instanceof ConfigError ? `Nido cannot start.\n${reason.message}` : reason);
      process.exit(code);
    })();
    return ending;
  }

  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void end(0));
  await starting.catch((error) => end(1, error));
}
