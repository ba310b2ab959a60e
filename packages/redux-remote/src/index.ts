export { applyDiff, createDiff, type Diff, DiffError, type Json } from "./diff.ts";
export {
  closedSignedOut,
  type RemoteAction,
  type RemoteFailure,
  revisionOf,
  untilHeader,
  type Versioned,
} from "./protocol.ts";
