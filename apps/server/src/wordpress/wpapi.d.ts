// It has no types of its own. Its requests are built by chaining any of its methods.
declare module "wpapi" {
  // biome-ignore lint/suspicious/noExplicitAny: it has no types of its own
  const WPAPI: new (options: { endpoint: string; transport?: object }) => any;
  export = WPAPI;
}
