import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { FastifyBaseLogger } from "fastify";
import { LRUCache } from "lru-cache";
import ssh2, { type Connection } from "ssh2";
import type { Db } from "../../db/connect.ts";
import { clientAddress } from "../../http/clientAddress.ts";
import type { RateLimiter } from "../../http/RateLimiter.ts";
import { portSharing } from "../../platform/requireFreePort.ts";
import { Shares } from "../../platform/Shares.ts";
import { findValid } from "./accessRows.ts";
import { FileSession, maxOfSite } from "./FileSession.ts";
import { findOpenSites } from "./openSites.ts";
import { SshLogin } from "./SshLogin.ts";
import { serverAlgorithms } from "./sshAlgorithms.ts";

interface Options {
  db: Db;
  limiter: RateLimiter;
  /** in OpenSSH's format */
  hostKey: string;
  /** An SFTP server that sees only the site's content, as a stream of its protocol. */
  openFiles(siteId: string): Promise<Duplex>;
  /** In bytes. It may read all folders of the site. */
  diskUse(siteId: string): Promise<number>;
  log: FastifyBaseLogger;
}

const loginMs = 30_000;
const lookMs = 2000;
const measureMs = 10_000;
const maxGuests = 100;
const maxSessions = 100;
const maxOfAddress = 16;
/** What a client does not read is kept in memory. */
const maxUnread = 8 * 2 ** 20;

/** Reaches the files of WordPress sites by SFTP, with the project's name as the user. Nothing else is offered. */
export class SftpServer {
  readonly server: Server;
  private readonly options: Options;
  private readonly ofAddress = new Shares(maxOfAddress);
  private readonly ofSite = new Shares(maxOfSite);
  /** connections that have not signed in, the oldest first */
  private readonly guests = new Set<Socket>();
  private readonly sessions = new Set<FileSession>();
  private readonly measured = new LRUCache<string, Promise<number>>({ max: 1000, ttl: measureMs });

  constructor(options: Options) {
    this.options = options;
    this.server = createServer({ noDelay: true }, (socket) => this.welcome(socket));
  }

  async listen(port: number, host: string) {
    this.server.listen({ port, host, ...portSharing });
    await once(this.server, "listening");
    setInterval(() => void this.look(), lookMs);
  }

  private welcome(socket: Socket) {
    const address = clientAddress(socket.remoteAddress ?? "");
    socket.on("error", () => undefined); // it is closed then
    if (!this.ofAddress.tryTake(address)) return socket.destroy();
    socket.once("close", () => this.ofAddress.release(address));
    const [oldest] = this.guests;
    if (this.guests.size >= maxGuests) oldest?.destroy();
    this.guests.add(socket);
    const timer = setTimeout(() => socket.destroy(), loginMs);
    const endGuest = () => {
      clearTimeout(timer);
      this.guests.delete(socket);
    };
    socket.once("close", endGuest);
    const { hostKey, log } = this.options;
    const greet = (connection: Connection) => {
      connection.on("error", () => socket.destroy());
      const login = new SshLogin(this.options, address);
      connection.on("authentication", (context) => {
        login.answer(context).then(
          (isOver) => isOver && socket.destroy(),
          (error) => {
            log.warn({ err: error }, "could not check who connects by SFTP");
            socket.destroy();
          },
        );
      });
      connection.once("ready", () => {
        // It may have been closed while the database was asked.
        if (socket.destroyed) return;
        endGuest();
        this.begin(socket, connection, login);
      });
    };
    // A server for each connection: the library does not tell which socket a connection has.
    new ssh2.Server({ hostKeys: [hostKey], ident: "nido", algorithms: serverAlgorithms }, greet).injectSocket(socket);
  }

  private begin(socket: Socket, connection: Connection, { site, access }: SshLogin) {
    if (!site || !access || this.sessions.size >= maxSessions || !this.ofSite.tryTake(site.id)) return socket.destroy();
    const measure = (siteId: string) => this.measure(siteId);
    const session = new FileSession({ ...this.options, measure, socket, connection, site, access });
    this.sessions.add(session);
    socket.once("close", () => {
      this.sessions.delete(session);
      this.ofSite.release(site.id);
    });
  }

  /** All sessions of a site share a measurement, which is repeated after a while at the earliest. */
  private measure(siteId: string): Promise<number> {
    const measuring = this.measured.get(siteId) ?? this.options.diskUse(siteId);
    this.measured.set(siteId, measuring, { noUpdateTTL: true });
    return measuring;
  }

  /** Ends the sessions that have lost their right, and connections that do not read. */
  private async look() {
    for (const socket of this.guests) if (socket.writableLength > maxUnread) socket.destroy();
    const sessions = [...this.sessions];
    if (sessions.length === 0) return;
    const { db, log } = this.options;
    try {
      const accessIds = sessions.map(({ access }) => access.id);
      const siteIds = sessions.map(({ site }) => site.id);
      const [valid, open] = [await findValid(db, accessIds), await findOpenSites(db, siteIds)];
      for (const session of sessions)
        if (valid.has(session.access.id) && open.has(session.site.id)) await session.refresh();
        else session.end();
    } catch (error) {
      log.warn({ err: error }, "could not look after the SFTP sessions");
    }
  }
}
