// It has no types of its own. Its requests are built by chaining any of its methods.
declare module "wpapi" {
  // biome-ignore lint/suspicious/noExplicitAny: see above
  const WPAPI: new (options: { endpoint: string; transport?: object }) => any;
  export = WPAPI;
}
