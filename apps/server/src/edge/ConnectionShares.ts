import type { Server } from "node:http";
import type { BlockList, Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { clientAddress } from "../http/clientAddress.ts";
import { Shares } from "../platform/Shares.ts";
import { contains } from "./tls/proxyProtocol.ts";

/** For each port of a process. */
export const maxConnections = 20_000;
/** Many visitors may share an address, and many visit one site, but neither must use up the whole server. */
const defaults = { ofAddress: 512, ofName: maxConnections / 2 };

/** Who holds the open connections of this process, over HTTP and HTTPS together. */
export class ConnectionShares {
  private readonly proxies: BlockList;
  private readonly addresses: Shares;
  private readonly names: Shares;

  constructor(proxies: BlockList, limits = defaults) {
    this.proxies = proxies;
    this.addresses = new Shares(limits.ofAddress);
    this.names = new Shares(limits.ofName);
  }

  /** Returns whether the visitor's address may have this connection; otherwise closes it. */
  admit(socket: Socket): boolean {
    const address = socket.remoteAddress ?? "";
    // A proxy's connections are those of many visitors.
    return contains(this.proxies, address) || take(this.addresses, clientAddress(address), socket);
  }

  /** The same for the name in a TLS handshake. Resumed connections of TLS 1.2, whose name is unknown, share one. */
  admitName(socket: TLSSocket): boolean {
    return take(this.names, (socket.servername || "").toLowerCase(), socket);
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
}

function take(shares: Shares, key: string, socket: Socket): boolean {
  if (!shares.tryTake(key)) {
    socket.destroy();
    return false;
  }
  socket.once("close", () => shares.release(key));
  return true;
}
