export { conflict } from "./actionTypes.ts";
export { createRemoteClient } from "./createRemoteClient.ts";
export type { RemoteSlices } from "./slices.ts";
export { type RemoteProgress, useRemoteAction } from "./useRemoteAction.ts";
