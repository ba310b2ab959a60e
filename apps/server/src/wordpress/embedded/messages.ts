/** A request for a PHP thread. */
export interface PhpJob {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: Uint8Array | undefined;
  scriptPath: string;
  server: Record<string, string>;
}

/** Messages of a PHP thread: that it is ready, and for each request the head, the body in chunks, and the end. */
export type PhpMessage =
  | { kind: "ready" }
  | { kind: "head"; status: number; headers: Record<string, string[]> }
  | { kind: "chunk"; chunk: Uint8Array }
  | { kind: "end"; errors: string; needsRestart: boolean };
