import {
  type DeployPlan,
  filesMediaType,
  frameHead,
  inspectSite,
  type PublishedDeploy,
  reportFrame,
  type SiteFile,
  type SiteReport,
  toBatches,
} from "@nido/contract";
import { ApiError, api, post } from "../api/api.ts";
import { serverPaths } from "../paths.ts";
import type { LocalFile } from "./readFiles.ts";

/** A file with its digest, as it is announced. */
export interface HashedFile extends SiteFile {
  blob: Blob;
}

export async function hashFiles(files: LocalFile[], onProgress: (part: number) => void): Promise<HashedFile[]> {
  const hashed: HashedFile[] = [];
  for (const { path, blob } of files) {
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await blob.arrayBuffer()));
    const sha256 = [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    hashed.push({ path, sha256, size: blob.size, blob });
    onProgress(hashed.length / files.length);
  }
  return hashed;
}

/** What is probably wrong with the site. */
export function inspectFiles(files: HashedFile[]): Promise<SiteReport> {
  const byPath = new Map(files.map((file) => [file.path, file.blob]));
  return inspectSite({ files, read: (path) => byPath.get(path)?.text() ?? "" });
}

interface Publication {
  key: string;
  message: string;
  report: SiteReport;
  onProgress(part: number): void;
}

/** What publishing these files would change. */
export function planFiles(project: string, files: HashedFile[]): Promise<DeployPlan> {
  return plan(project, files, { key: crypto.randomUUID(), dry_run: true });
}

/** Publishes the files: announces them, sends the ones that the server does not have, and finishes the deploy. */
export async function publishFiles(
  project: string,
  files: HashedFile[],
  { key, message, report, onProgress }: Publication,
): Promise<PublishedDeploy> {
  const { id = "", missing } = await plan(project, files, { key, message });
  const byDigest = new Map(files.map((file) => [file.sha256, file]));
  const send = async (digests: string[]) => {
    const toSend = digests.flatMap((digest) => byDigest.get(digest) ?? []);
    const total = toSend.reduce((sum, { size }) => sum + size, 0) || 1;
    let sent = 0;
    const headers = { "content-type": filesMediaType };
    for (const batch of toBatches(toSend)) {
      const body = new Blob(batch.flatMap((file) => [frameHead(file) as Uint8Array<ArrayBuffer>, file.blob]));
      await api(serverPaths.publishFiles(id), { method: "PUT", headers, body, timeoutMs: null });
      sent += batch.reduce((sum, { size }) => sum + size, 0);
      onProgress(sent / total);
    }
    const body = new Blob([reportFrame(report)]);
    return api<PublishedDeploy>(serverPaths.publishFinish(id), { method: "POST", headers, body });
  };
  return send(missing).catch((error) => {
    // The server may have deleted a stored file after it planned the deploy. Its error lists such files.
    if (!(error instanceof ApiError) || error.missing.length === 0) throw error;
    return send(error.missing);
  });
}

function plan(project: string, files: HashedFile[], options: object): Promise<DeployPlan> {
  const announced = files.map(({ path, sha256, size }) => ({ path, sha256, size }));
  return api<DeployPlan>(serverPaths.publishPlan(project), {
    ...post({ files: announced, ...options }),
    timeoutMs: null,
  });
}
