import { BlockList, createServer, isIPv6, type Server, type Socket } from "node:net";
import { TLSSocket, type Server as TlsServer } from "node:tls";

const signature = Buffer.from("0d0a0d0a000d0a515549540a", "hex");
const fixedBytes = 16;
/** Load balancers send 28 or 52 bytes, and some add a few hundred of their own. */
const maxBytes = 2048;
const timeout = 5000;

/** A list of addresses and networks. */
export function createBlockList(entries: string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = "", bits] = entry.split("/");
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

export function contains(list: BlockList, address: string): boolean {
  const plain = address.replace("::ffff:", "");
  return list.check(plain, isIPv6(plain) ? "ipv6" : "ipv4");
}

/** Accepts connections from load balancers and passes them to a TLS server. */
export function behindProxy(server: TlsServer, proxies: BlockList): Server {
  // A TLS socket knows only the balancer's address and port.
  const visitors = new Map<string, string>();
  const keyOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;
  server.prependListener("secureConnection", (socket) => {
    const address = visitors.get(keyOf(socket));
    if (address) Object.defineProperty(socket, "remoteAddress", { value: address });
  });
  return createServer(async (socket) => {
    const key = keyOf(socket);
    if (!(await acceptProxied(socket, proxies))) return;
    visitors.set(key, socket.remoteAddress ?? "");
    socket.once("close", () => visitors.delete(key));
    server.emit("connection", socket);
  });
}

/** Makes a plain HTTP server read the header of each connection first. */
export function expectProxy(server: Server, proxies: BlockList) {
  const listeners = server.listeners("connection") as ((socket: Socket) => void)[];
  server.removeAllListeners("connection");
  server.on("connection", async (socket: Socket) => {
    // The header of a TLS connection was read before its handshake.
    const isAccepted = socket instanceof TLSSocket || (await acceptProxied(socket, proxies));
    if (!isAccepted) return;
    for (const listener of listeners) listener.call(server, socket);
    socket.resume();
  });
}

/**
 * Reads the header that a load balancer sends before anything else (PROXY protocol, version 2), and gives the socket the
 * visitor's address. Resolves to false, and closes the connection, if it does not come from a trusted proxy or has no
 * such header.
 */
async function acceptProxied(socket: Socket, proxies: BlockList): Promise<boolean> {
  const header = contains(proxies, socket.remoteAddress ?? "") ? await readHeader(socket) : undefined;
  if (!header) {
    socket.destroy();
    return false;
  }
  if (header.address) Object.defineProperty(socket, "remoteAddress", { value: header.address, configurable: true });
  return true;
}

/** The header's address; undefined without a valid header. What follows it stays unread. */
function readHeader(socket: Socket): Promise<{ address?: string } | undefined> {
  return new Promise((resolve) => {
    let data = Buffer.alloc(0);
    const finish = (header: { address?: string } | undefined) => {
      clearTimeout(limit);
      socket.off("data", read).off("close", give).off("error", give);
      socket.pause();
      resolve(header);
    };
    const give = () => finish(undefined);
    const read = (chunk: Buffer) => {
      data = Buffer.concat([data, chunk]);
      const length = data.length < fixedBytes ? fixedBytes : fixedBytes + data.readUInt16BE(14);
      if (!data.subarray(0, 12).equals(signature.subarray(0, data.length)) || length > maxBytes)
        return finish(undefined);
      if (data.length < length) return;
      finish(parse(data.subarray(0, length)));
      if (data.length > length) socket.unshift(data.subarray(length));
    };
    const limit = setTimeout(give, timeout);
    socket.on("data", read).on("close", give).on("error", give);
  });
}

function parse(header: Buffer): { address?: string } | undefined {
  const [command, family] = [header[12], header[13]];
  // LOCAL: the balancer's own connections, such as health checks.
  if (command === 0x20) return {};
  if (command !== 0x21) return undefined;
  if (family === 0x11 && header.length >= 28) return { address: [...header.subarray(16, 20)].join(".") };
  if (family === 0x21 && header.length >= 52) {
    const groups = Array.from({ length: 8 }, (_, index) => header.readUInt16BE(16 + 2 * index).toString(16));
    return { address: new URL(`http://[${groups.join(":")}]`).hostname.slice(1, -1) };
  }
  return {};
}
