export { createRemoteClient } from "./createRemoteClient.ts";
export type { RemoteSlices } from "./slices.ts";
export { conflict } from "./types.ts";
export { type RemoteProgress, useRemoteAction } from "./useRemoteAction.ts";
