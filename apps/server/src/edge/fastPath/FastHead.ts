import type { EventEmitter } from "node:events";
import { type IncomingHttpHeaders, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { SiteAddress } from "../../domains/parseHost.ts";
import type { VisitKind } from "../../traffic/visitKind.ts";

/** A GET request without a body. */
export interface FastRequest {
  url: string;
  headers: IncomingHttpHeaders;
  /** the other end of the connection */
  address: string | undefined;
  isEncrypted: boolean;
  derived: Derived;
}

/** What follows from a connection and its header fields alone. Requests with the same fields share it. */
export interface Derived {
  named?: SiteAddress;
  kind?: VisitKind;
}

/** A complete response in memory. A head has one body, which may have to be looked up for each response. */
export interface FastResponse {
  head: FastHead;
  body: Buffer;
  /** as it is logged */
  path: string;
  /** Call it if the response is not sent at once: `response` emits the event `sent` when it has been sent. */
  onSlow?: (response: EventEmitter, sent: "drain" | "close") => void;
}

/** Browsers then use HTTPS only, for a year. */
export const hsts = { name: "strict-transport-security", value: "max-age=31536000" };

/** The head of a response, rendered at most once a second, because of its Date header. */
export class FastHead {
  /** for HTTP/2: names and values in turn; Node adds the date */
  readonly http2: string[];
  readonly status: number;
  private readonly given: Record<string, string | string[]>;
  private readonly fields: [name: string, value: string][];
  private readonly maxJoinedBytes: number;
  private strict: FastHead | undefined;
  private second = 0;
  private bytes: Buffer = Buffer.alloc(0);
  /** head and body in one buffer, which saves time and costs memory */
  private joined: Buffer | undefined;

  constructor(status: number, fields: Record<string, string | string[]>, maxJoinedBytes: number) {
    this.status = status;
    this.given = fields;
    this.fields = Object.entries(fields).flatMap(([name, value]) => [value].flat().map((each) => pair(name, each)));
    this.http2 = [":status", String(status), ...this.fields.flat()];
    this.maxJoinedBytes = maxJoinedBytes;
  }

  /** The same head with HSTS. */
  get withHsts(): FastHead {
    // A site's own header takes precedence.
    this.strict ??= new FastHead(this.status, { [hsts.name]: hsts.value, ...this.given }, this.maxJoinedBytes);
    return this.strict;
  }

  /** Writes a whole HTTP/1.1 response and closes the connection after it. */
  endWith(body: Buffer, socket: Socket) {
    socket.cork();
    socket.write(this.renderHead(Date.now(), "close"));
    socket.end(body);
  }

  /** Writes a whole HTTP/1.1 response with one system call. Returns whether the socket has room for more. */
  writeWith(body: Buffer, socket: Socket): boolean {
    const second = Math.floor(Date.now() / 1000);
    if (second !== this.second) this.prepare(second, body);
    if (this.joined) return socket.write(this.joined);
    socket.cork();
    socket.write(this.bytes);
    const hasRoom = socket.write(body);
    socket.uncork();
    return hasRoom;
  }

  private prepare(second: number, body: Buffer) {
    this.second = second;
    this.bytes = this.renderHead(second * 1000, "keep-alive");
    this.joined = body.length <= this.maxJoinedBytes ? Buffer.concat([this.bytes, body]) : undefined;
  }

  private renderHead(time: number, connection: "close" | "keep-alive"): Buffer {
    const fields = [...this.fields, pair("date", new Date(time).toUTCString()), pair("connection", connection)];
    const lines = fields.map(([name, value]) => `${name}: ${value}`);
    const text = [`HTTP/1.1 ${this.status} ${STATUS_CODES[this.status]}`, ...lines, "", ""].join("\r\n");
    return Buffer.from(text, "latin1");
  }
}

function pair(name: string, value: string): [string, string] {
  return [name, value];
}
