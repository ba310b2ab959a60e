import { once } from "node:events";
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { AwsV4Signer } from "aws4fetch";
import type { BlobStore, Part } from "./BlobStore.ts";

const timeout = 60_000;
const maxConcurrency = 16;

/** Blobs in a bucket that speaks S3's protocol: `https://KEY:SECRET@host/bucket?region=eu-west-1`. */
export class S3Store implements BlobStore {
  private readonly bucket: string;
  private readonly access: { accessKeyId: string; secretAccessKey: string; region: string };

  constructor(url: URL) {
    this.bucket = `${url.origin}${url.pathname.replace(/\/$/, "")}`;
    this.access = {
      accessKeyId: decodeURIComponent(url.username),
      secretAccessKey: decodeURIComponent(url.password),
      region: url.searchParams.get("region") ?? "us-east-1",
    };
  }

  async put(key: string, content: Buffer | AsyncIterable<Buffer>, size: number) {
    const body = Readable.from(Buffer.isBuffer(content) ? [content] : content);
    const response = await this.send("PUT", key, { "content-length": String(size) }, body);
    if (response.statusCode !== 200) throw await refusal(response);
    response.resume();
  }

  async putParts(bytes: ArrayBuffer, parts: Part[]) {
    const left = [...parts];
    const work = async () => {
      for (let part = left.pop(); part; part = left.pop())
        await this.put(part.key, Buffer.from(bytes, part.start, part.size), part.size);
    };
    await Promise.all(Array.from({ length: maxConcurrency }, work));
    return bytes;
  }

  async read(key: string, range?: { start: number; end: number }) {
    const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end}` } : {};
    const response = await this.send("GET", key, headers);
    if (response.statusCode !== (range ? 206 : 200)) throw await refusal(response);
    return response;
  }

  async removeOlder(keys: string[], before: Date) {
    for (const key of keys) {
      const head = await this.send("HEAD", key);
      head.resume();
      if (head.statusCode === 404) continue;
      if (head.statusCode !== 200) throw await refusal(head);
      if (new Date(head.headers["last-modified"] ?? Date.now()) >= before) continue;
      const response = await this.send("DELETE", key);
      if (response.statusCode !== 204 && response.statusCode !== 200) throw await refusal(response);
      response.resume();
    }
  }

  async removeUnfinished() {
    // S3 leaves no partial files: an upload becomes visible as a whole or not at all.
  }

  private async send(
    method: string,
    key: string,
    headers: Record<string, string> = {},
    body?: Readable,
  ): Promise<IncomingMessage> {
    const url = `${this.bucket}/${key}`;
    const signer = new AwsV4Signer({ ...this.access, service: "s3", method, url, headers });
    const signed = await signer.sign();
    const start = signed.url.protocol === "https:" ? requestHttps : requestHttp;
    const request = start(signed.url, { method, headers: Object.fromEntries(signed.headers), timeout: timeout });
    request.on("timeout", () => request.destroy(new Error(`the bucket did not answer within ${timeout} ms`)));
    const answered = once(request, "response") as Promise<[IncomingMessage]>;
    if (!body) request.end();
    const [[response]] = await Promise.all([answered, body && pipeline(body, request)]);
    return response;
  }
}

async function refusal(response: IncomingMessage): Promise<Error> {
  response.resume();
  return new Error(`the bucket answered ${response.statusCode}`);
}
