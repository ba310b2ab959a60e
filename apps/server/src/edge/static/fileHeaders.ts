import type { FileResolution } from "@nido/static-site";
import type { Encoding } from "../../deploys/blobs/BlobStore.ts";
import { etagOf } from "../conditionalRequest.ts";

export function fileHeaders({ file, headers }: FileResolution, encoding: Encoding | undefined): Record<string, string> {
  const { sha256, size, type, forms } = file;
  const isCompressed = forms.br !== null || forms.gzip !== null;
  return {
    "content-type": type,
    "x-content-type-options": "nosniff",
    ...headers,
    etag: etagOf(sha256, encoding),
    "accept-ranges": "bytes",
    ...(isCompressed && { vary: "accept-encoding" }),
    ...(encoding && { "content-encoding": encoding }),
    "content-length": String(encoding ? forms[encoding] : size),
  };
}
