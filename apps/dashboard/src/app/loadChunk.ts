import { api } from "../api/api.ts";
import { serverPaths } from "../paths.ts";

const retryDelayMs = 3000;

/** A part of the dashboard that the server no longer has: a newer version was deployed. */
export class MissingChunk extends Error {
  override name = "MissingChunk";
}

/**
 * Loads a part of the dashboard. While the server is unreachable it keeps trying, and the current screen stays. Rejects
 * with `MissingChunk` if the server answers but does not have it.
 */
export async function loadChunk<Chunk>(load: () => Promise<Chunk>): Promise<Chunk> {
  for (;;) {
    try {
      return await load();
    } catch (error) {
      if (await isServerReachable()) {
        return load().catch(() => {
          throw new MissingChunk("A part of the dashboard is missing", { cause: error });
        });
      }
      await new Promise((resolve) => setTimeout(resolve, retryDelayMs));
    }
  }
}

async function isServerReachable(): Promise<boolean> {
  return api(serverPaths.settings).then(
    () => true,
    () => false,
  );
}
