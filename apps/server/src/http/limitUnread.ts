import type { FastifyReply, FastifyRequest } from "fastify";

/** A large download may be slow, but some of it must arrive in this time. */
const timeout = 60_000;

/**
 * A hook that closes connections whose visitor reads nothing of a response. It may take PHP any time to begin one.
 * Node's timer does not run out while bytes leave the machine.
 */
export async function limitUnread({ raw }: FastifyRequest, reply: FastifyReply) {
  // HTTP/2 connections have a limit of their own.
  if (raw.httpVersionMajor === 2) return;
  reply.raw.setTimeout(timeout, () => {
    if (raw.socket.writableLength > 0) raw.socket.destroy();
  });
}
