import type { IncomingMessage, ServerResponse } from "node:http";

export interface Visit {
  request: IncomingMessage;
  response: ServerResponse;
  /** the visitor's IP address */
  visitor: string;
  /** the site's customer */
  owner: string;
}
