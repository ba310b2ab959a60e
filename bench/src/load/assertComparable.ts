import assert from "node:assert/strict";
import { getAnswer } from "./getAnswer.ts";
import type { Page, Server } from "./Server.ts";

/**
 * Every peer must send what Nido sends: the same content-encoding, and a body whose size differs by at most
 * `maxSizeRatio`. Otherwise the ratio would compare different work.
 */
export async function assertComparable(ours: Server, peers: Server[], page: Page, maxSizeRatio: number) {
  const { bytes: ourBytes } = await checkedAnswer(ours, page);
  for (const peer of peers) {
    const { bytes } = await checkedAnswer(peer, page);
    const sizeRatio = Math.max(bytes, ourBytes) / Math.min(bytes, ourBytes);
    const sizes = `${page.path}: ${ours.name} sends ${ourBytes} bytes, ${peer.name} ${bytes}`;
    assert(sizeRatio <= maxSizeRatio, `${sizes}; that is more than ${maxSizeRatio} times`);
    console.log(`  (${sizes}, encoding ${page.encoding ?? "none"})`);
  }
}

async function checkedAnswer(server: Server, page: Page) {
  const answer = await getAnswer(server, page);
  assert.equal(answer.status, 200, `${server.name} answered ${page.path} with status ${answer.status}`);
  assert.equal(answer.encoding, page.encoding, `${server.name} answered ${page.path} encoded as ${answer.encoding}`);
  return answer;
}
