export * from "./actions.ts";
export * from "./countries.ts";
export * from "./errors.ts";
export * from "./languages.ts";
export * from "./password.ts";
export * from "./settings.ts";
export * from "./siteName.ts";
export * from "./state.ts";
