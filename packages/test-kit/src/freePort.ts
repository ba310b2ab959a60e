import { once } from "node:events";
import { createServer } from "node:net";

/** A port that nobody listens on, below those that the system gives to outgoing connections: it stays free for a moment. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    const server = createServer();
    try {
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
    } catch {
      continue;
    }
    server.close();
    await once(server, "close");
    return port;
  }
}
