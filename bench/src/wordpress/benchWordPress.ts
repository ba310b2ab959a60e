import { join } from "node:path";
import { startNative } from "@nido/test-kit/native";
import { provideCore } from "@nido/test-kit/testCore";
import type { Report } from "../Benchmark.ts";
import { benchEmbedded } from "./benchEmbedded.ts";
import { benchPages } from "./benchPages.ts";
import { benchProvisioning } from "./benchProvisioning.ts";
import { startWordPressPeer } from "./startWordPressPeer.ts";
import { startWordPressProduct } from "./startWordPressProduct.ts";

/** Pages and provisioning of the native runtime; then the embedded runtime compared with it. */
export async function benchWordPress(report: Report) {
  await using cleanups = new AsyncDisposableStack();
  await provideCore();
  const { folder, socket, env } = await startNative((undo) => cleanups.defer(undo));
  const native = await startWordPressProduct(cleanups, "Nido, native runtime", env);
  const peer = await startWordPressPeer(cleanups, folder, socket);
  await benchPages(native.server, peer, report);
  const nativeProvisioning = await benchProvisioning(native, peer, report);

  const settings = { DATA_DIR: join(folder, "embedded") };
  const embedded = await startWordPressProduct(cleanups, "Nido, embedded runtime", settings);
  await benchEmbedded(embedded, native, nativeProvisioning, report);
}
