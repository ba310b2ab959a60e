import { once } from "node:events";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { resourcesOf } from "@nido/contract";
import type { FastifyBaseLogger } from "fastify";
import type { Connection, ServerChannel, Session } from "ssh2";
import type { Db } from "../../db/connect.ts";
import { markActive, purgePages } from "../dueSites.ts";
import type { SiteRow } from "../queries.ts";
import type { AccessRow } from "./accessRows.ts";
import { findOpenSites } from "./openSites.ts";

/** Programs open several connections to send files at the same time. */
export const maxOfSite = 8;

interface Options {
  db: Db;
  openFiles(siteId: string): Promise<Duplex>;
  /** the disk use of a site; the same promise for some seconds */
  measure(siteId: string): Promise<number>;
  log: FastifyBaseLogger;
  socket: Socket;
  connection: Connection;
  site: SiteRow;
  access: AccessRow;
}

const idleMs = 15 * 60_000;
const maxMs = 8 * 60 * 60_000;
const purgeMs = 60_000;
const rekeyMs = 30_000;
/** How much a client may leave unread before its files are read on, and may send while others write. */
const bufferBytes = 2 ** 20;
const maxBufferBytes = 8 * bufferBytes;
/** The library never ends with a client that accepts packets of no size. */
const minPacketSize = 1024;
/** What a session may send when its site's disk is full: it can still list and delete files. */
const roomOfFull = 2 ** 16;
const minRoom = 2 * 2 ** 20;
/** The sessions that a site may have share what is left of its disk. */
const part = 1 / maxOfSite;
/** How long a client has to close the connection by itself. */
const lingerMs = 2000;
const remeasureMs = 1000;

/** One connection of a customer to the files of a site. */
export class FileSession {
  readonly site: SiteRow;
  readonly access: AccessRow;
  private readonly options: Options;
  private readonly closing = new AbortController();
  private readonly began = Date.now();
  private usedAt = Date.now();
  private purgedAt = 0;
  private isStarted = false;
  private isUnpurged = false;
  /** bytes that may be received until the site's disk use is measured again */
  private room = roomOfFull;
  private measured: Promise<number> | undefined;

  constructor(options: Options) {
    this.options = options;
    this.site = options.site;
    this.access = options.access;
    options.socket.once("close", () => this.closing.abort());
    options.connection.on("session", (accept, reject) => {
      // A connection has one session, and a session one SFTP server.
      if (this.isStarted) return reject();
      this.isStarted = true;
      const session = accept();
      if (packetSizeOf(session) < minPacketSize) return this.end();
      session.once("subsystem", (start, refuse, { name }) => {
        const channel = name === "sftp" ? start() : undefined;
        if (channel) void this.serve(channel);
        else refuse?.();
      });
    });
  }

  end() {
    this.options.socket.destroy();
  }

  /** Called every few seconds. */
  async refresh() {
    const now = Date.now();
    if (now - this.usedAt > idleMs || now - this.began > maxMs) return this.end();
    if (this.options.socket.writableLength > maxBufferBytes) return this.end();
    if (this.isUnpurged && now - this.purgedAt > purgeMs) await this.purge();
  }

  private async serve(channel: ServerChannel) {
    const { db, log, socket, openFiles } = this.options;
    const { site } = this;
    let code = 0;
    this.limitBuffer(channel);
    try {
      await this.measure();
      await markActive(db, site.id);
      // It may have been closed since the login.
      if (!(await findOpenSites(db, [site.id])).has(site.id)) return this.end();
      const files = await openFiles(site.id);
      const close = () => files.destroy();
      files.on("error", () => undefined); // it is closed then
      channel.on("error", close);
      this.closing.signal.addEventListener("abort", close);
      if (this.closing.signal.aborted) close();
      this.receive(channel, files).catch(close);
      await this.send(files, channel).finally(close);
    } catch (error) {
      code = 1;
      if (!this.closing.signal.aborted)
        log.warn({ err: error, project: site.id }, "an SFTP session of a site has failed");
    }
    try {
      channel.exit(code);
      channel.end();
    } catch {
      // The connection is closed.
    }
    socket.end();
    setTimeout(() => this.end(), lingerMs);
    await this.purge().catch((error) =>
      log.warn({ err: error, project: site.id }, "could not end the cached pages of a site after an SFTP session"),
    );
  }

  /** The library accepts what a client sends beyond its window. */
  private limitBuffer(channel: ServerChannel) {
    const push = channel.push.bind(channel);
    channel.push = (chunk) => {
      if (channel.readableLength > maxBufferBytes) this.end();
      return push(chunk);
    };
  }

  private async receive(channel: ServerChannel, files: Duplex) {
    for await (const chunk of channel as AsyncIterable<Buffer>) {
      this.usedAt = Date.now();
      this.isUnpurged = true;
      this.room -= chunk.length;
      if (this.room < 0) await this.measure();
      if (this.room < 0) {
        this.options.log.info({ project: this.site.id }, "an SFTP session has filled its site's disk");
        return this.end();
      }
      if (!files.write(chunk)) await once(files, "drain", this.closing);
    }
    files.end();
  }

  private async send(files: Duplex, channel: ServerChannel) {
    const { socket, connection } = this.options;
    for await (const chunk of files as AsyncIterable<Buffer>) {
      this.usedAt = Date.now();
      // What is written while keys are exchanged is kept by the library.
      while (isRekeying(connection)) {
        const signal = AbortSignal.any([this.closing.signal, AbortSignal.timeout(rekeyMs)]);
        await once(connection, "rekey", { signal });
      }
      if (!channel.write(chunk)) await once(channel, "drain", this.closing);
      // The client decides how large its window is, so the socket is watched, too.
      while (socket.writableLength > bufferBytes) await once(socket, "drain", this.closing);
    }
  }

  private async measure() {
    const { measure } = this.options;
    const { signal } = this.closing;
    // The same measurement would allow as much again.
    while (measure(this.site.id) === this.measured) await pause(remeasureMs, undefined, { signal });
    this.measured = measure(this.site.id);
    const left = resourcesOf(this.site.recipe).disk - (await this.measured);
    if (left > 0) this.room = Math.max(left * part, minRoom);
  }

  /** Anything may have been changed. */
  private async purge() {
    this.isUnpurged = false;
    this.purgedAt = Date.now();
    await markActive(this.options.db, this.site.id);
    await purgePages(this.options.db, this.site.id);
  }
}

function packetSizeOf(session: Session): number {
  const { _chanInfo } = session as unknown as { _chanInfo: { outgoing: { packetSize: number } } };
  return _chanInfo.outgoing.packetSize;
}

function isRekeying(connection: Connection): boolean {
  const { _protocol } = connection as unknown as { _protocol: { _kexinit: Buffer | undefined } };
  return _protocol._kexinit !== undefined;
}
