import { type MoveIn, moveInPartBytes } from "@nido/contract";
import { api, post } from "../api/api.ts";

/** Sends a file in parts. What has arrived before, of the same file, is not sent again. */
export async function sendArchive(path: string, file: File, signal: AbortSignal, onProgress: (part: number) => void) {
  const { upload } = await api<MoveIn>(path, { signal });
  const { name, size, lastModified: modified } = file;
  const isSame = upload?.name === name && upload.size === size && upload.modified === modified && !upload.problem;
  if (!isSame) await api(path, { ...post({ name, size, modified }), signal });
  for (let start = isSame ? upload.received : 0; start < size; ) {
    onProgress(start / size);
    const part = file.slice(start, start + moveInPartBytes);
    const headers = { "content-type": "application/octet-stream" };
    await api(`${path}/${start}`, { method: "PUT", headers, body: part, signal, timeoutMs: null });
    start += part.size;
  }
  onProgress(1);
}
