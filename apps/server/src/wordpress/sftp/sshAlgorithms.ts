import type { Algorithms } from "ssh2";

const fast = ["curve25519-sha256", "curve25519-sha256@libssh.org", "ecdh-sha2-nistp256"] as const;

/**
 * Both as a server and as a client. Compression is left out: a few kilobytes of it become gigabytes. So are
 * Diffie-Hellman groups that are large or that the other side chooses: the library computes them on its thread.
 */
export const serverAlgorithms: Algorithms = {
  compress: ["none"],
  kex: [...fast],
  serverHostKey: ["ssh-ed25519"],
};

/** Old servers of other hosts have nothing better than the group of 2048 bits. */
export const clientAlgorithms: Algorithms = {
  compress: ["none"],
  kex: [...fast, "ecdh-sha2-nistp384", "ecdh-sha2-nistp521", "diffie-hellman-group14-sha256"],
};
