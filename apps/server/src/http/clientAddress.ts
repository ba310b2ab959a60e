import { isIPv6 } from "node:net";

/** The key for rate limits: an IPv4 address, or the /64 network that an IPv6 subscriber usually has. */
export function clientAddress(ip: string): string {
  if (!isIPv6(ip) || ip.startsWith("::ffff:")) return ip;
  const [head = "", tail = ""] = ip.split("::");
  const left = head.split(":").filter(Boolean);
  const right = tail.split(":").filter(Boolean);
  const zeros = Array.from({ length: ip.includes("::") ? 8 - left.length - right.length : 0 }, () => "0");
  return [...left, ...zeros, ...right].slice(0, 4).join(":");
}
