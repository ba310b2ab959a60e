/** What a PHP thread is asked to run. */
export interface PhpJob {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: Uint8Array | undefined;
  scriptPath: string;
  server: Record<string, string>;
}

/** What it tells: that it has started, and of each job the head, the body in pieces, and the end. */
export type PhpNews =
  | { kind: "ready" }
  | { kind: "head"; status: number; headers: Record<string, string[]> }
  | { kind: "chunk"; chunk: Uint8Array }
  | { kind: "end"; errors: string; isWorn: boolean };
