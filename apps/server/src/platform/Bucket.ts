import { createHash } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";

interface Call {
  method: string;
  key: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Buffer;
}

const timeout = 60_000;
const maxAttempts = 5;
const firstDelay = 200;
/** The size of each part of a large object. S3 allows ten thousand parts, so an object can have up to 160 GB. */
const partBytes = 16 * 2 ** 20;

/** A bucket that speaks S3's protocol: `https://KEY:SECRET@host/bucket?region=eu-west-1`. */
export class Bucket {
  private readonly address: string;
  private readonly access: { accessKeyId: string; secretAccessKey: string; region: string };

  constructor(url: URL) {
    this.address = `${url.origin}${url.pathname.replace(/\/$/, "")}`;
    this.access = {
      accessKeyId: decodeURIComponent(url.username),
      secretAccessKey: decodeURIComponent(url.password),
      region: url.searchParams.get("region") ?? "us-east-1",
    };
  }

  async put(key: string, body: Buffer) {
    await this.finish({ method: "PUT", key, body });
  }

  /** Stores a stream of a known size. It is not repeated if it fails. */
  async putStream(key: string, content: AsyncIterable<Buffer>, size: number) {
    const call = { method: "PUT", key, headers: { "content-length": String(size) } };
    const response = await this.send(call, Readable.from(content));
    if (response.statusCode !== 200) throw refusal(response);
    response.resume();
  }

  /** Stores a stream of any size, as a whole or not at all. */
  async upload(key: string, content: AsyncIterable<Buffer>) {
    let id: string | undefined;
    const etags: string[] = [];
    try {
      for await (const { bytes, isLast } of inParts(content)) {
        if (isLast && !id) return await this.put(key, bytes);
        id ??= tag(await this.finish({ method: "POST", key, query: { uploads: "" } }), "UploadId");
        const query = { partNumber: String(etags.length + 1), uploadId: id };
        const { headers } = await this.complete({ method: "PUT", key, query, body: bytes });
        etags.push(headers.etag ?? "");
      }
      const parts = etags.map(
        (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`,
      );
      const body = Buffer.from(`<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`);
      const answer = await this.finish({ method: "POST", key, query: { uploadId: id ?? "" }, body });
      // S3 may report a failure with the status 200.
      if (!answer.includes("CompleteMultipartUploadResult")) throw new Error("the bucket did not complete an upload");
    } catch (error) {
      if (id) await this.finish({ method: "DELETE", key, query: { uploadId: id } }).catch(() => undefined);
      throw error;
    }
  }

  async read(key: string, range?: { start: number; end: number }): Promise<IncomingMessage> {
    const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end}` } : {};
    const response = await this.send({ method: "GET", key, headers });
    if (response.statusCode !== (range ? 206 : 200)) throw refusal(response);
    return response;
  }

  /** When an object was stored; undefined if there is none. */
  async findDate(key: string): Promise<Date | undefined> {
    const response = await this.send({ method: "HEAD", key });
    response.resume();
    if (response.statusCode === 404) return undefined;
    if (response.statusCode !== 200) throw refusal(response);
    return new Date(response.headers["last-modified"] ?? Date.now());
  }

  /** The keys of all objects whose key begins with `prefix`. */
  async list(prefix: string): Promise<string[]> {
    const keys: string[] = [];
    for (let token: string | undefined, isFirst = true; isFirst || token; isFirst = false) {
      const query = { "list-type": "2", prefix, ...(token && { "continuation-token": token }) };
      const answer = await this.finish({ method: "GET", key: "", query });
      for (const [, key = ""] of answer.matchAll(/<Key>([^<]*)<\/Key>/g)) keys.push(unescapeXml(key));
      token = /<IsTruncated>true</.test(answer) ? tag(answer, "NextContinuationToken") : undefined;
    }
    return keys;
  }

  async remove(key: string) {
    await this.finish({ method: "DELETE", key });
  }

  /** Makes a call, retries it if the bucket is unavailable, and returns the answer's text. */
  private async finish(call: Call): Promise<string> {
    return (await this.complete(call)).body;
  }

  private async complete(call: Call) {
    for (let attempt = 1; ; attempt++) {
      try {
        const response = await this.send(call);
        const { statusCode = 0, headers } = response;
        if (statusCode >= 200 && statusCode < 300) return { headers, body: await text(response) };
        throw refusal(response);
      } catch (error) {
        const { status = 503 } = error as { status?: number };
        if (attempt === maxAttempts || (status < 500 && status !== 429)) throw error;
        await pause(firstDelay * 2 ** attempt * Math.random());
      }
    }
  }

  private async send(
    { method, key, query = {}, headers = {}, body }: Call,
    stream?: Readable,
  ): Promise<IncomingMessage> {
    const url = new URL(`${this.address}/${key}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const own = body && {
      "content-length": String(body.length),
      // The bucket refuses what arrives damaged.
      "content-md5": createHash("md5").update(body).digest("base64"),
    };
    const fields = { ...headers, ...own };
    const signed = await new AwsV4Signer({
      ...this.access,
      service: "s3",
      method,
      url: url.href,
      headers: fields,
    }).sign();
    const start = signed.url.protocol === "https:" ? requestHttps : requestHttp;
    const request = start(signed.url, { method, headers: Object.fromEntries(signed.headers), timeout });
    request.on("timeout", () => request.destroy(new Error(`the bucket did not answer within ${timeout} ms`)));
    const answered = once(request, "response") as Promise<[IncomingMessage]>;
    if (!stream) request.end(body);
    const [[response]] = await Promise.all([answered, stream && pipeline(stream, request)]);
    // From now on, the response reports errors.
    request.on("error", () => undefined).setTimeout(0);
    return response;
  }
}

/** Cuts a stream into parts of equal size, but for the last. */
async function* inParts(content: AsyncIterable<Buffer>) {
  let chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of content) {
    chunks.push(chunk);
    size += chunk.length;
    while (size > partBytes) {
      const all = Buffer.concat(chunks);
      yield { bytes: all.subarray(0, partBytes), isLast: false };
      chunks = [all.subarray(partBytes)];
      size -= partBytes;
    }
  }
  yield { bytes: Buffer.concat(chunks), isLast: true };
}

function unescapeXml(escaped: string): string {
  const characters: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
  return escaped.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => characters[name] ?? "");
}

function tag(xml: string, name: string): string {
  const value = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  if (!value) throw new Error(`the bucket's answer has no ${name}`);
  return unescapeXml(value);
}

function refusal(response: IncomingMessage): Error {
  response.resume();
  return Object.assign(new Error(`the bucket answered ${response.statusCode}`), { status: response.statusCode });
}
