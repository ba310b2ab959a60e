/** A server under load, on 127.0.0.1. */
export interface Server {
  name: string;
  host: string;
  port: number;
  isTls?: boolean;
}

export interface Page {
  path: string;
  /** Sent as Accept-Encoding. Without it the answer must be uncompressed. */
  encoding?: "gzip";
}

export function serverOn(port: number, name: string, hostname = "127.0.0.1"): Server {
  return { name, host: `${hostname}:${port}`, port };
}

/** The headers for wrk and for the check before it. Without the capital "H", wrk adds a second Host. */
export function requestHeaders({ host }: Server, { encoding }: Page): Record<string, string> {
  return { Host: host, ...(encoding && { "Accept-Encoding": encoding }) };
}
