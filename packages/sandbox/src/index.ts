export { startBucket } from "./s3/startBucket.ts";
export { startSandbox } from "./startSandbox.ts";
