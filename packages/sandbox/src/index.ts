export { startSandbox } from "./startSandbox.ts";
