export { encodePath, locate } from "@nido/contract";
export * from "./contentType.ts";
export * from "./isFingerprinted.ts";
export * from "./parseUrl.ts";
export * from "./StaticSite.ts";
