import net from "node:net";
import { networkInterfaces } from "node:os";

const unreachable = createBlockList();

/** Whether what customers run or ask for may connect to an address: not to this machine, and not to private networks. */
export function isPublicAddress(address: string): boolean {
  const family = net.isIPv6(address) ? "ipv6" : "ipv4";
  return net.isIP(address) !== 0 && !unreachable.check(address, family);
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
