/** An invalid setting. The message names the setting and its value, and is all the operator sees. */
export class ConfigError extends Error {
  override name = "ConfigError";
}
