export * from "./contentType.ts";
export * from "./isFingerprinted.ts";
export * from "./parseUrl.ts";
export * from "./redirectTarget.ts";
export * from "./StaticSite.ts";
