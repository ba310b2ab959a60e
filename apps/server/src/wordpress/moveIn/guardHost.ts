import { lookup as resolve } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { isPublicAddress } from "../../platform/isPublicAddress.ts";

/** Whether a host that a customer names is an address of this machine or of a private network. */
export function isPrivateHost(host: string): boolean {
  return isIP(host) !== 0 && !isPublicAddress(host);
}

/** Not every system knows that names below localhost are this machine. */
export const lookupAny: LookupFunction = (host, options, done) => {
  resolve(host.replace(/^.*\.localhost$/, "localhost"), options, done);
};

/** Refuses names that lead to this machine or to a private network. */
export const lookupPublic: LookupFunction = (host, options, done) => {
  resolve(host, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error, "");
    const [first] = addresses;
    if (!first || !addresses.every(({ address }) => isPublicAddress(address)))
      return done(new Error(`${host} has no public address`), "");
    return options.all ? done(null, addresses) : done(null, first.address, first.family);
  });
};
