import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { Derived, FastRequest, FastResponse } from "./FastHead.ts";
import { readFields } from "./readFields.ts";

export interface FastPath {
  /** The response to a GET, if all of it is in memory. */
  find(request: FastRequest): FastResponse | undefined;
  /** Reads into memory what the response needs; undefined if the HTTP server has to answer. */
  load(request: FastRequest): Promise<FastResponse | undefined>;
}

/** For a process that serves no sites. */
export const noFastPath: FastPath = { find: () => undefined, load: async () => undefined };

/** Whether a connection may serve a host: the certificate for its SNI must cover it. Without TLS, the SNI is "". */
export type Covers = (servername: string | false, host: string) => boolean;

const maxHeadBytes = 8192;
export const sweepInterval = 30_000;
const maxIdleSweeps = 2;
/** 2 MB, the largest file on the fast path, at 3 kB/s */
const maxDownloadSweeps = 24;
const notInUrl = /[^\x21-\x7e]/;

/** A connection that speaks HTTP/1.1 and is answered without Node's HTTP parser. */
export class FastConnection {
  private readonly socket: Socket;
  private readonly path: FastPath;
  private readonly address: string | undefined;
  private readonly isEncrypted: boolean;
  private readonly covers: Covers;
  private readonly handOver: (data: Buffer) => void;
  /** The header fields of the last request as text. A browser usually sends the same ones again. */
  private lastFields = "";
  private headers: Record<string, string> | undefined;
  private derived: Derived = {};
  private isDraining = false;
  private isLoading = false;
  /** how many sweeps in a row found that nothing had been read */
  private idleSweeps = 0;

  constructor(socket: Socket, path: FastPath, covers: Covers, handOver: (data: Buffer) => void) {
    this.socket = socket;
    this.path = path;
    this.covers = covers;
    this.address = socket.remoteAddress;
    this.isEncrypted = (socket as Partial<TLSSocket>).encrypted === true;
    this.handOver = handOver;
  }

  /** Answers the requests in `data`. Returns whether the connection is ready for the next. */
  readonly read = (data: Buffer): boolean => {
    this.idleSweeps = 0;
    const text = data.toString("latin1", 0, maxHeadBytes);
    for (let start = 0; start < data.length; ) {
      const end = text.indexOf("\r\n\r\n", start);
      const request = end < 0 ? undefined : this.parse(text, start, end);
      // Backpressure is left to the HTTP server.
      if (!request || this.socket.writableNeedDrain) {
        this.handOver(data.subarray(start));
        return false;
      }
      const response = this.find(request);
      if (!response) {
        void this.load(request, data.subarray(start), end + 4 - start);
        return false;
      }
      if (this.isLast) {
        this.end(response);
        return false;
      }
      this.write(response);
      start = end + 4;
    }
    return true;
  };

  private write({ head, body, onSlow }: FastResponse) {
    // Also if the socket reports that it is full, the kernel has usually taken everything.
    if (!head.writeWith(body, this.socket) && this.socket.writableLength > 0) onSlow?.(this.socket, "drain");
  }

  /** Sends the last response. What the visitor sends after its request is ignored. */
  private end({ head, body, onSlow }: FastResponse) {
    this.socket.off("data", this.read);
    onSlow?.(this.socket, "close");
    head.endWith(body, this.socket);
    this.socket.resume();
  }

  /** Closes the connection after the next response. */
  drain() {
    this.isDraining = true;
  }

  /** Closes the connection once the response to the current request, if any, has been sent. */
  close() {
    if (this.isLoading) this.drain();
    else this.socket.destroySoon();
  }

  /** The connection is to be closed after this request. */
  private get isLast(): boolean {
    return this.isDraining || this.headers?.["connection"]?.toLowerCase() === "close";
  }

  /** Called at regular intervals. Returns whether the visitor has been idle, or downloading, for too long. */
  sweep(): boolean {
    return ++this.idleSweeps > (this.socket.writableLength > 0 ? maxDownloadSweeps : maxIdleSweeps);
  }

  /** Parses one head; undefined if the HTTP server should handle the request. */
  private parse(text: string, start: number, end: number): FastRequest | undefined {
    const lineEnd = text.indexOf("\r\n", start);
    if (!text.startsWith("GET /", start) || !text.startsWith(" HTTP/1.1\r\n", lineEnd - 9)) return undefined;
    const url = text.slice(start + 4, lineEnd - 9);
    const fields = text.slice(lineEnd + 2, end);
    if (fields !== this.lastFields) {
      const headers = readFields(fields);
      const { servername } = this.socket as Partial<TLSSocket>;
      const name = this.isEncrypted ? servername || false : "";
      // The HTTP server redirects plain HTTP, and refuses a host that the certificate does not cover.
      this.headers = this.covers(name, headers?.["host"] ?? "") ? headers : undefined;
      this.lastFields = fields;
      this.derived = {};
    }
    if (!this.headers || notInUrl.test(url)) return undefined;
    const { headers, address, isEncrypted, derived } = this;
    return { url, headers, address, isEncrypted, derived };
  }

  private find(request: FastRequest): FastResponse | undefined {
    try {
      return this.path.find(request);
    } catch {
      return undefined; // The HTTP server meets the error again and reports it.
    }
  }

  private async load(request: FastRequest, data: Buffer, length: number) {
    this.socket.pause();
    this.isLoading = true;
    const response = await this.path.load(request).catch(() => undefined);
    this.isLoading = false;
    if (this.socket.destroyed) return;
    if (!response) return this.handOver(data);
    if (this.isLast) return this.end(response);
    this.write(response);
    if (length === data.length || this.read(data.subarray(length))) this.socket.resume();
  }
}
