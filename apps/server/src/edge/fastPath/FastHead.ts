import { type IncomingHttpHeaders, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";

/** A GET request without a body. */
export interface FastRequest {
  url: string;
  headers: IncomingHttpHeaders;
  /** the other end of the connection */
  address: string | undefined;
}

/** A complete response in memory. A head has one body, which may have to be looked up for each response. */
export interface FastResponse {
  head: FastHead;
  body: Buffer;
}

/** The head of a response, rendered once a second because of its Date header. */
export class FastHead {
  readonly status: number;
  readonly fields: Record<string, string | string[]>;
  private readonly maxJoinedBytes: number;
  private second = 0;
  private bytes = Buffer.alloc(0);
  /** head and body in one buffer, which saves time and costs memory */
  private joined: Buffer | undefined;

  constructor(status: number, fields: Record<string, string | string[]>, maxJoinedBytes: number) {
    this.status = status;
    this.fields = fields;
    this.maxJoinedBytes = maxJoinedBytes;
  }

  /** Writes a whole HTTP/1.1 response with one system call. */
  writeWith(body: Buffer, socket: Socket) {
    const second = Math.floor(Date.now() / 1000);
    if (second !== this.second) this.render(second, body);
    if (this.joined) {
      socket.write(this.joined);
      return;
    }
    socket.cork();
    socket.write(this.bytes);
    socket.write(body);
    socket.uncork();
  }

  private render(second: number, body: Buffer) {
    const fields = { ...this.fields, date: new Date(second * 1000).toUTCString(), connection: "keep-alive" };
    const lines = Object.entries(fields).flatMap(([name, value]) => [value].flat().map((each) => `${name}: ${each}`));
    const text = [`HTTP/1.1 ${this.status} ${STATUS_CODES[this.status]}`, ...lines, "", ""].join("\r\n");
    this.second = second;
    this.bytes = Buffer.from(text, "latin1");
    this.joined = body.length <= this.maxJoinedBytes ? Buffer.concat([this.bytes, body]) : undefined;
  }
}
