import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "s3rver";
import type { WhenDone } from "./database.ts";

/** An S3 server that others wrote, with an empty bucket. Returns the bucket's URL. */
export async function startS3Server(whenDone: WhenDone, address = "127.0.0.1"): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "nido-bucket-"));
  const server = new S3rver({ port: 0, address, silent: true, directory, configureBuckets: [{ name: "bucket" }] });
  const { port } = await server.run();
  whenDone(async () => {
    await server.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return `http://S3RVER:S3RVER@${address}:${port}/bucket?region=eu-west-1`;
}
