import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import { networkInterfaces } from "node:os";

const unreachable = createBlockList();

/** Whether a site's PHP may connect to an address: not to this machine, and not to private networks. */
export function isPublicAddress(address: string): boolean {
  const family = net.isIPv6(address) ? "ipv6" : "ipv4";
  return net.isIP(address) !== 0 && !unreachable.check(address, family);
}

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

function createBlockList(): net.BlockList {
  const list = new net.BlockList();
  for (const network of [
    "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.168.0.0/16",
    "198.18.0.0/15 224.0.0.0/4 240.0.0.0/4",
    "::/128 ::1/128 64:ff9b::/96 64:ff9b:1::/48 2002::/16 2001::/32 fc00::/7 fe80::/10 ff00::/8",
  ].flatMap((line) => line.split(" "))) {
    const [address = "", bits] = network.split("/");
    list.addSubnet(address, Number(bits), net.isIPv6(address) ? "ipv6" : "ipv4");
  }
  for (const { address, family } of Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []))
    list.addAddress(address, family === "IPv6" ? "ipv6" : "ipv4");
  return list;
}
