import type { EventEmitter } from "node:events";
import type { Server } from "node:http";
import type { ServerHttp2Stream } from "node:http2";
import type { BlockList, Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { clientAddress } from "../http/clientAddress.ts";
import { Shares } from "../platform/Shares.ts";
import { contains } from "./tls/proxyProtocol.ts";

/** For each port of a process. */
export const maxConnections = 20_000;
/** Many visitors may share an address, and many visit one site, but neither must use up the whole server. */
const defaults = { ofAddress: 512, ofName: maxConnections / 2 };
/** Each takes up to 200 kB while its response is not read. */
const maxStreamsOfAddress = 512;

/** Who holds the open connections of this process, over HTTP and HTTPS together. */
export class ConnectionShares {
  private readonly proxies: BlockList;
  private readonly addresses: Shares;
  private readonly names: Shares;
  private readonly streams = new Shares(maxStreamsOfAddress);

  constructor(proxies: BlockList, limits = defaults) {
    this.proxies = proxies;
    this.addresses = new Shares(limits.ofAddress);
    this.names = new Shares(limits.ofName);
  }

  /** Returns whether the visitor's address may have this connection; otherwise closes it. */
  admit(socket: Socket): boolean {
    return closeUnless(this.takeOf(socket.remoteAddress, this.addresses, socket), socket);
  }

  /** The same for the name in a TLS handshake. It is unknown in resumed connections of TLS 1.2. */
  admitName(socket: TLSSocket): boolean {
    const name = socket.servername ? socket.servername.toLowerCase() : undefined;
    return name === undefined || closeUnless(take(this.names, name, socket), socket);
  }

  /** Whether the visitor's address may make another request over HTTP/2: one connection can carry many. */
  tryTakeStream(address: string | undefined, stream: ServerHttp2Stream): boolean {
    return this.takeOf(address, this.streams, stream);
  }

  /** Limits the connections of a plain HTTP server. */
  limit(server: Server) {
    const listeners = server.listeners("connection") as ((socket: Socket) => void)[];
    server.removeAllListeners("connection");
    server.maxConnections = maxConnections;
    server.on("connection", (socket: Socket) => {
      // A TLS connection was counted before its handshake.
      if (!(socket instanceof TLSSocket || this.admit(socket))) return;
      for (const listener of listeners) listener.call(server, socket);
    });
  }

  private takeOf(address = "", shares: Shares, holder: EventEmitter): boolean {
    // What a proxy sends comes from many visitors.
    return contains(this.proxies, address) || take(shares, clientAddress(address), holder);
  }
}

function take(shares: Shares, key: string, holder: EventEmitter): boolean {
  if (!shares.tryTake(key)) return false;
  holder.once("close", () => shares.release(key));
  return true;
}

function closeUnless(isAdmitted: boolean, socket: Socket): boolean {
  if (!isAdmitted) socket.destroy();
  return isAdmitted;
}
