import { once } from "node:events";
import { waitUntil } from "./waitUntil.ts";

/** Makes a process that was started with `--inspect=PORT` collect its garbage, over V8's inspector. */
export async function collectGarbage(port: number) {
  const find = () =>
    fetch(`http://127.0.0.1:${port}/json`)
      .then((answer) => answer.json() as Promise<{ webSocketDebuggerUrl: string }[]>)
      .catch(() => []);
  const [target] = await waitUntil("the inspector answers", find, (targets) => targets.length > 0);
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? "");
  await once(socket, "open");
  const answered = once(socket, "message");
  socket.send(JSON.stringify({ id: 1, method: "HeapProfiler.collectGarbage" }));
  await answered;
  socket.close();
}
