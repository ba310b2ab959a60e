import pg from "pg";

export type Handlers = Record<string, (payload: string) => void>;

const retryAfterMs = 500;

/**
 * Receives the notifications of other processes (LISTEN), and reconnects by itself. Notifications are lost while
 * `isListening` is false. `onListening` is called after each connect, because caches may be stale by then.
 */
export class Listener {
  isListening = false;
  private client: pg.Client | undefined;
  private retry: NodeJS.Timeout | undefined;
  private isClosed = false;
  private readonly url: string;
  private readonly handlers: Handlers;
  private readonly onListening: () => void;

  constructor(url: string, handlers: Handlers, onListening: () => void) {
    this.url = url;
    this.handlers = handlers;
    this.onListening = onListening;
  }

  async start() {
    const client = new pg.Client({ connectionString: this.url, keepAlive: true, connectionTimeoutMillis: 5000 });
    this.client = client;
    client.on("notification", ({ channel, payload = "" }) => this.handlers[channel]?.(payload));
    client.on("error", () => this.reconnect(client));
    client.on("end", () => this.reconnect(client));
    try {
      await client.connect();
      for (const channel of Object.keys(this.handlers))
        await client.query(`listen ${client.escapeIdentifier(channel)}`);
      if (this.client !== client) return;
      this.isListening = true;
      this.onListening();
    } catch {
      this.reconnect(client);
    }
  }

  async stop() {
    this.isClosed = true;
    this.isListening = false;
    clearTimeout(this.retry);
    await this.client?.end().catch(() => undefined);
  }

  private reconnect(client: pg.Client) {
    if (this.isClosed || this.client !== client) return;
    this.isListening = false;
    this.client = undefined;
    client.end().catch(() => undefined);
    this.retry = setTimeout(() => void this.start(), retryAfterMs);
  }
}
