import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import { isPublicAddress } from "../../platform/isPublicAddress.ts";

/**
 * Restricts the sockets of the thread that PHP runs in. php-wasm opens them by `net.createConnection`, with the
 * resolved address.
 */
export function guardNetwork() {
  const connect = net.createConnection as (...options: unknown[]) => net.Socket;
  const guarded = (port: unknown, host: unknown, ...rest: unknown[]) => {
    if (typeof host === "string" && isPublicAddress(host)) return connect(port, host, ...rest);
    const refused = new net.Socket();
    process.nextTick(() => refused.destroy(new Error(`sites must not connect to ${host}`)));
    return refused;
  };
  net.createConnection = guarded as typeof net.createConnection;
  syncBuiltinESMExports();
}

/** Refuses listening sockets. Called after php-wasm has opened its own outbound proxy. */
export function refuseListening() {
  net.Server.prototype.listen = () => {
    throw new Error("sites must not listen on a socket");
  };
}
