import type { IncomingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { PassThrough, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

export interface CgiResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Readable;
}

const version = 1;
const requestId = 1;
const types = { begin: 1, end: 3, params: 4, stdin: 5, stdout: 6, stderr: 7 };
const maxRecordBytes = 65_535;
const maxHeadBytes = 65_536;
const maxBufferedBytes = 2 ** 22;
const endOfInput = record(types.stdin, Buffer.alloc(0));

/**
 * Sends a request to a FastCGI server, over a new connection. Resolves with the response's head; the body is
 * streamed.
 */
export function requestFastCgi(
  socketPath: string,
  params: Record<string, string>,
  body: Readable | undefined,
  timeLimit: number,
): Promise<CgiResponse> {
  return new Promise((resolve, reject) => {
    const socket = connect(socketPath);
    const output = new PassThrough({ highWaterMark: maxBufferedBytes });
    const reader = new RecordReader();
    let head: Buffer = Buffer.alloc(0);
    let isHeadRead = false;
    let isEnded = false;

    const fail = (error: Error) => {
      if (isEnded) return; // PHP may answer without reading the whole body
      clearTimeout(timer);
      socket.destroy();
      if (isHeadRead) output.destroy(error);
      else reject(error);
    };
    let timer: NodeJS.Timeout | undefined;
    const startTimer = () => {
      timer = setTimeout(() => fail(new Error(`PHP took longer than ${timeLimit} ms`)), timeLimit);
    };

    const onOutput = (chunk: Buffer) => {
      if (isHeadRead) return void output.write(chunk);
      head = Buffer.concat([head, chunk]);
      const end = /\r?\n\r?\n/.exec(head.toString("latin1"));
      if (!end)
        return head.length > maxHeadBytes
          ? fail(new Error(`PHP sent more than ${maxHeadBytes} bytes of headers`))
          : undefined;
      isHeadRead = true;
      output.write(head.subarray(end.index + end[0].length));
      resolve({ ...parseHead(head.subarray(0, end.index).toString("latin1")), body: output });
    };

    socket.on("connect", () => {
      const head = [
        record(types.begin, Buffer.from([0, 1, 0, 0, 0, 0, 0, 0])),
        ...[...split(encodeParams(params))].map((part) => record(types.params, part)),
        record(types.params, Buffer.alloc(0)),
      ];
      socket.write(Buffer.concat(body ? head : [...head, endOfInput]));
      if (body) void pipeline(stdinRecords(body), socket, { end: false }).catch(fail);
      startTimer();
    });
    socket.on("data", (data) => {
      for (const { type, content } of reader.read(data)) {
        if (type === types.stdout && content.length > 0) onOutput(content);
        if (type === types.end) {
          isEnded = true;
          clearTimeout(timer);
          output.end();
          socket.end();
          if (!isHeadRead) reject(new Error("PHP ended the request without an answer"));
        }
      }
      // Backpressure: while the visitor does not read, PHP waits, and that time does not count against it.
      if (output.writableNeedDrain && !isEnded) {
        socket.pause();
        clearTimeout(timer);
        output.once("drain", () => {
          socket.resume();
          startTimer();
        });
      }
    });
    socket.on("error", fail);
    socket.on("close", () => fail(new Error("PHP closed the connection before the end")));
    output.on("close", () => {
      if (isEnded) return;
      clearTimeout(timer);
      socket.destroy();
    });
  });
}

async function* stdinRecords(body: Readable): AsyncGenerator<Buffer> {
  for await (const chunk of body) for (const part of split(chunk)) yield record(types.stdin, part);
  yield endOfInput;
}

class RecordReader {
  private rest: Buffer = Buffer.alloc(0);

  *read(data: Buffer): Generator<{ type: number; content: Buffer }> {
    this.rest = this.rest.length > 0 ? Buffer.concat([this.rest, data]) : data;
    while (this.rest.length >= 8) {
      const length = this.rest.readUInt16BE(4);
      const total = 8 + length + this.rest.readUInt8(6);
      if (this.rest.length < total) return;
      yield { type: this.rest.readUInt8(1), content: this.rest.subarray(8, 8 + length) };
      this.rest = this.rest.subarray(total);
    }
  }
}

function record(type: number, content: Buffer): Buffer {
  const head = Buffer.from([version, type, 0, requestId, 0, 0, 0, 0]);
  head.writeUInt16BE(content.length, 4);
  return Buffer.concat([head, content]);
}

function* split(content: Buffer): Generator<Buffer> {
  for (let start = 0; start < content.length; start += maxRecordBytes)
    yield content.subarray(start, start + maxRecordBytes);
}

function encodeParams(params: Record<string, string>): Buffer {
  return Buffer.concat(
    Object.entries(params).flatMap(([name, value]) => {
      const [key, text] = [Buffer.from(name), Buffer.from(value)];
      return [encodeLength(key.length), encodeLength(text.length), key, text];
    }),
  );
}

function encodeLength(length: number): Buffer {
  if (length < 128) return Buffer.from([length]);
  const long = Buffer.alloc(4);
  long.writeUInt32BE((length | 0x80_00_00_00) >>> 0);
  return long;
}

function parseHead(text: string): { status: number; headers: IncomingHttpHeaders } {
  const headers: Record<string, string | string[]> = {};
  for (const line of text.split(/\r?\n/)) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    if (name === "set-cookie") headers[name] = [...(headers[name] ?? []), value];
    else headers[name] = value;
  }
  const { status = "200", ...rest } = headers;
  return { status: Number.parseInt(String(status), 10), headers: rest as IncomingHttpHeaders };
}
