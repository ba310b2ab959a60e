import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import {
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import type { TLSSocket } from "node:tls";
import type { ConnectionShares } from "../ConnectionShares.ts";
import { type Covers, type FastPath, sweepInterval } from "../fastPath/FastConnection.ts";
import type { FastResponse } from "../fastPath/FastHead.ts";

type StreamListener = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, flags: number, raw: string[]) => void;

interface Options {
  path: FastPath;
  covers: Covers;
  shares: ConnectionShares;
  /** Answers what the fast path cannot. */
  route: (request: IncomingMessage, response: ServerResponse) => void;
}

interface Visitor {
  servername: string | false;
  address: string | undefined;
  streams: number;
  /** requests whose body is still being sent */
  bodies: number;
  idleSweeps: number;
}

const maxStreams = 128;
const maxHeaderBytes = 16_384;
const maxHostLength = 260;
/** A connection can send so many request bodies at a time. */
const maxBodies = 16;
/** Shorter responses are not counted: a connection has 128 of them at most. */
const shortBytes = 2 ** 14;
const maxIdleSweeps = 2;
/** half an hour, as for a request over HTTP/1.1 */
const maxBusySweeps = 60;

/**
 * The HTTP/2 server. Its connections come from the TLS server. What is in memory is answered on the stream at once;
 * other requests go through Node's compatibility layer to the routes. A browser may use one connection for all hosts
 * that its certificate covers, so every stream is routed by its own :authority.
 */
export function serveHttp2({ path, covers, shares, route }: Options) {
  const server = createServer({
    settings: { maxConcurrentStreams: maxStreams, maxHeaderListSize: maxHeaderBytes, enablePush: false },
    maxSettings: 16,
    maxHeaderListPairs: 100,
    maxOutstandingPings: 4,
  });
  const compatible = compatibleListeners(server, route);
  const visitors = new Map<ServerHttp2Session, Visitor>();
  let isDraining = false;

  server.on("session", (session) => {
    const { servername, remoteAddress } = session.socket as TLSSocket & { servername: string | false };
    visitors.set(session, { servername, address: remoteAddress, streams: 0, bodies: 0, idleSweeps: 0 });
    session.on("close", () => visitors.delete(session));
    session.on("error", () => session.destroy());
  });
  server.on("sessionError", () => undefined);

  const onStream: StreamListener = (stream, headers, flags, raw) => {
    stream.on("error", () => undefined); // the visitor's connection broke
    // The visitor has already reset the stream, so answering it would throw.
    if (stream.destroyed || stream.closed) return;
    const visitor = stream.session && visitors.get(stream.session as ServerHttp2Session);
    if (!visitor) return void stream.close();
    visitor.idleSweeps = 0;
    const host = headers[":authority"] ?? headers.host ?? "";
    if (headers.host !== undefined && headers.host !== host) return refuse(stream, 400);
    if (host.length > maxHostLength || !headers[":path"]?.startsWith("/")) return refuse(stream, 400);
    if (!covers(visitor.servername, host)) return refuse(stream, 421);
    headers.host = host;
    /** Keeps the sweep from closing a busy connection. */
    const count = () => {
      visitor.streams++;
      stream.once("close", () => visitor.streams--);
    };
    const respond = ({ head, body, onSlow }: FastResponse) => {
      if (body.length > shortBytes) {
        count();
        onSlow?.(stream, "close");
      }
      // A copy: Node adds the date to it.
      stream.respond([...head.http2], { endStream: body.length === 0 });
      if (body.length > 0) stream.end(body);
    };
    const passOn = () => {
      if (!shares.tryTakeStream(visitor.address, stream)) return refuse(stream, 429);
      count();
      if (!stream.endAfterHeaders) {
        if (visitor.bodies >= maxBodies) return refuse(stream, 429);
        visitor.bodies++;
        stream.once("close", () => visitor.bodies--);
      }
      for (const listener of compatible) listener.call(server, stream, headers, flags, raw);
    };
    if (!isPlainGet(headers)) return passOn();

    const request = { url: headers[":path"] ?? "/", headers, address: visitor.address, isEncrypted: true, derived: {} };
    const response = withoutThrowing(() => path.find(request));
    if (response) return respond(response);
    path
      .load(request)
      .catch(() => undefined) // the routes meet the error again and report it
      .then((loaded) => {
        if (stream.destroyed || stream.closed) return;
        if (loaded) respond(loaded);
        else passOn();
      })
      .catch(() => stream.destroy());
  };
  server.on("stream", (stream, headers, flags, raw) => {
    try {
      onStream(stream, headers, flags, raw as never);
      if (isDraining) stream.session?.close();
    } catch {
      // Whatever a customer's header or a visitor's request provokes ends this stream alone.
      stream.destroy();
    }
  });

  const sweeping = setInterval(() => {
    for (const [session, visitor] of visitors) {
      if (++visitor.idleSweeps > (visitor.streams > 0 ? maxBusySweeps : maxIdleSweeps)) session.destroy();
    }
  }, sweepInterval);
  sweeping.unref();

  return {
    accept: (socket: TLSSocket) => server.emit("connection", socket),
    /**
     * Asks visitors to open new connections, and closes each current one when its streams have ended. A stream that
     * arrives too late is refused, and browsers repeat it on a new connection.
     */
    drain: () => {
      isDraining = true;
      for (const session of visitors.keys()) session.close();
    },
    destroy: () => {
      clearInterval(sweeping);
      for (const session of visitors.keys()) session.destroy();
    },
  };
}

/** The listeners of the compatibility layer for streams. Node adds them together with a listener for requests. */
function compatibleListeners(server: Http2Server, route: Options["route"]): StreamListener[] {
  server.on("request", route as never);
  const listeners = server.listeners("stream") as StreamListener[];
  server.removeAllListeners("stream");
  return listeners;
}

/** Headers that change the response need the routes. */
function isPlainGet(headers: IncomingHttpHeaders): boolean {
  return (
    headers[":method"] === "GET" &&
    headers.range === undefined &&
    headers["content-length"] === undefined &&
    headers["if-modified-since"] === undefined &&
    headers["if-unmodified-since"] === undefined &&
    headers["if-match"] === undefined &&
    headers["x-forwarded-host"] === undefined &&
    headers.expect === undefined
  );
}

function refuse(stream: ServerHttp2Stream, status: number) {
  stream.respond({ ":status": status, "content-type": "text/plain" });
  stream.end(`${status} ${STATUS_CODES[status]}\n`);
}

function withoutThrowing(find: () => FastResponse | undefined): FastResponse | undefined {
  try {
    return find();
  } catch {
    return undefined;
  }
}
