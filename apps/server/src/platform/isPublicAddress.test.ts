import { networkInterfaces } from "node:os";
import { expect, test } from "vitest";
import { isPublicAddress } from "./isPublicAddress.ts";

test.each([
  ["93.184.216.34", true],
  ["2606:2800:220:1::1", true],
  ["127.0.0.1", false],
  ["127.8.8.8", false],
  ["0.0.0.0", false],
  ["10.1.2.3", false],
  ["172.16.0.1", false],
  ["172.32.0.1", true],
  ["192.168.1.1", false],
  ["169.254.169.254", false],
  ["100.64.0.1", false],
  ["224.0.0.1", false],
  ["255.255.255.255", false],
  ["::", false],
  ["::1", false],
  ["::ffff:127.0.0.1", false],
  ["::ffff:10.0.0.1", false],
  ["fe80::1", false],
  ["fd00::1", false],
  ["64:ff9b::7f00:1", false],
  ["localhost", false],
  ["", false],
])("isPublicAddress(%j) is %s", (address, isAllowed) => {
  expect(isPublicAddress(address)).toBe(isAllowed);
});

test("isPublicAddress is false for every address of this machine", () => {
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  expect(own.length).toBeGreaterThan(0);
  for (const { address } of own) expect([address, isPublicAddress(address)]).toEqual([address, false]);
});
