import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

interface Access {
  key: string;
  secret: string;
}

/** An in-memory S3 bucket: PUT, GET with ranges, HEAD and DELETE, with verification of AWS Signature Version 4. */
export async function startBucket(access: Access) {
  const objects = new Map<string, { bytes: Buffer; modified: Date }>();
  const server = createServer(async (request, response) => {
    const key = request.url ?? "/";
    if (!isSigned(request, access)) return void response.writeHead(403).end();
    const object = objects.get(key);
    if (request.method === "PUT") {
      const bytes = await buffer(request).catch(() => undefined);
      // Like S3, it rejects a body that is cut off or has no Content-Length.
      if (!bytes || bytes.length !== Number(request.headers["content-length"]))
        return void response.writeHead(400).end();
      objects.set(key, { bytes, modified: new Date() });
      return void response.end();
    }
    if (!object) return void response.writeHead(404).end();
    if (request.method === "DELETE") {
      objects.delete(key);
      return void response.writeHead(204).end();
    }
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
    const bytes = start ? object.bytes.subarray(Number(start), Number(end) + 1) : object.bytes;
    response.writeHead(start ? 206 : 200, {
      "content-length": bytes.length,
      "last-modified": object.modified.toUTCString(),
    });
    response.end(request.method === "HEAD" ? undefined : bytes);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${access.key}:${access.secret}@127.0.0.1:${port}/bucket?region=eu-west-1`,
    objects,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Whether the AWS Signature Version 4 of a request is valid. */
function isSigned({ method = "", url = "", headers }: IncomingMessage, { key, secret }: Access): boolean {
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/;
  const [, accessKey, day = "", region = "", names = "", signature = ""] =
    pattern.exec(headers.authorization ?? "") ?? [];
  if (accessKey !== key) return false;
  const fields = names.split(";").map((name) => `${name}:${String(headers[name] ?? "").trim()}\n`);
  const [path = "", query = ""] = url.split("?");
  const content = String(headers["x-amz-content-sha256"] ?? "");
  const canonical = [method, path, query, fields.join(""), names, content].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const digest = createHash("sha256").update(canonical).digest("hex");
  const text = ["AWS4-HMAC-SHA256", headers["x-amz-date"], scope, digest].join("\n");
  const sign = (signingKey: string | Buffer, message: string) =>
    createHmac("sha256", signingKey).update(message).digest();
  const expected = sign([day, region, "s3", "aws4_request"].reduce<string | Buffer>(sign, `AWS4${secret}`), text);
  return timingSafeEqual(expected, Buffer.from(signature, "hex"));
}
