import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { signIn } from "@nido/test-kit/app";
import { freePort } from "@nido/test-kit/freePort";
import { testLong } from "@nido/test-kit/long";
import { openSftp } from "@nido/test-kit/sftp";
import { openSites, type Sites, type TestSite } from "@nido/test-kit/sites";
import { eventually } from "@nido/test-kit/waitUntil";
import { sql } from "drizzle-orm";
import ssh2, { type Client, type ConnectConfig, type SFTPWrapper } from "ssh2";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { whyNoSftp } from "../native/sftpCommand.ts";
import { generateKey } from "./hostKey.ts";

const reason = whyNoSftp();
if (reason) console.log(`Skipped: hostile SFTP clients, because ${reason}.`);

describe.skipIf(reason)("a hostile SFTP client", () => {
  let sites: Sites;
  let ana: TestSite;
  let bea: TestSite;
  let port: number;
  const undos: (() => Promise<void>)[] = [];
  const key = generateKey();
  let headers: Record<string, Record<string, string>>;

  beforeAll(async () => {
    port = await freePort();
    const own = { SFTP_PORT: String(port) };
    sites = await openSites((undo) => undos.unshift(undo), own);
    [ana, bea] = [await sites.open("anasite"), await sites.open("beasite")];
    await openSftp((undo) => undos.unshift(undo), sites, own);
    headers = {
      [ana.id]: await signIn(sites.server, "anasite@example.com"),
      [bea.id]: await signIn(sites.server, "beasite@example.com"),
    };
  });
  afterAll(async () => {
    for (const undo of undos) await undo();
  });
  beforeEach(async () => {
    await sites.server.db.execute(sql`delete from attempts`);
    await sites.server.db.execute(sql`delete from site_access`);
    for (const site of [ana, bea])
      expect((await call(site, "POST", "/keys", { name: "Portátil", key: key.public })).statusCode).toBe(200);
  });

  const call = ({ id }: TestSite, method: "GET" | "POST" | "DELETE", path: string, payload?: object) =>
    sites.server.app.inject({
      method,
      url: `/api/projects/${id}/access${path}`,
      headers: headers[id] ?? {},
      ...(payload && { payload }),
    });

  /** Rejects if the server closes the connection first. */
  async function login(options: Partial<ConnectConfig> = {}): Promise<Client> {
    const client = new ssh2.Client();
    client.on("error", () => undefined);
    client.connect({ host: "127.0.0.1", port, username: "anasite", privateKey: key.private, ...options });
    await Promise.race([once(client, "ready"), once(client, "close").then(() => Promise.reject(new Error("closed")))]);
    return client;
  }
  const open = (client: Client) =>
    new Promise<SFTPWrapper>((resolve, reject) =>
      client.sftp((error, sftp) => (error ? reject(error) : resolve(sftp))),
    );
  const list = async (username: string) => {
    const client = await login({ username });
    const sftp = await open(client);
    const names = await new Promise<string[]>((resolve, reject) =>
      sftp.readdir("/", (error, found) => (error ? reject(error) : resolve(found.map(({ filename }) => filename)))),
    );
    client.end();
    return names.filter((name) => !name.startsWith("."));
  };
  const sftpProcess = () => sftpProcessAt(port);
  const closed = (client: Client) => new Promise<void>((resolve) => client.once("close", resolve));
  /** Others are served as if nothing had happened, by the same process. */
  async function expectUnharmed(pid: number) {
    expect(await list("beasite")).toEqual(expect.arrayContaining(["wp-content"]));
    expect(sftpProcess()).toBe(pid);
  }

  test("cannot use compression, small packets, a second session or another service", async () => {
    const pid = sftpProcess();
    await expect(login({ algorithms: { compress: ["zlib"] } })).rejects.toThrow();
    await expect(login({ algorithms: { kex: ["diffie-hellman-group18-sha512"] } })).rejects.toThrow();

    const small = await login();
    const protocol = (small as unknown as { _protocol: { session(id: number, window: number, size: number): void } })
      ._protocol;
    const session = protocol.session.bind(protocol);
    protocol.session = (id, window) => session(id, window, 0);
    const isClosed = closed(small);
    open(small).catch(() => undefined);
    await isClosed;

    const client = await login();
    await open(client);
    await expect(open(client)).rejects.toThrow();
    for (const refused of [
      new Promise((_, reject) => client.exec("id", (error) => error && reject(error))),
      new Promise((_, reject) => client.shell((error) => error && reject(error))),
      new Promise((_, reject) => client.forwardOut("127.0.0.1", 1, "127.0.0.1", 22, (error) => error && reject(error))),
      new Promise((_, reject) => client.forwardIn("127.0.0.1", 0, (error) => error && reject(error))),
    ])
      await expect(refused).rejects.toThrow();
    client.end();
    await expectUnharmed(pid);
  });

  test("cannot occupy all connections, and garbage does no harm", async () => {
    const pid = sftpProcess();
    const sockets = Array.from({ length: 60 }, () => connect(port, "127.0.0.1").on("error", () => undefined));
    await eventually(() => expect(sockets.filter(({ closed }) => closed)).toHaveLength(44));
    for (const [index, socket] of sockets.entries())
      if (!socket.closed) socket.write(index % 2 ? Buffer.alloc(4000, index) : `SSH-2.0-x\r\n${"\0".repeat(2000)}`);
    for (const socket of sockets) socket.destroy();
    await eventually(() => list("beasite"));
    await expectUnharmed(pid);
  });

  test("cannot guess as one user what it excuses as another", async () => {
    const { db } = sites.server;
    const counted = async () =>
      (await db.execute(sql`select coalesce(sum(count), 0)::int as count from attempts`)).rows[0]?.["count"];
    let asked = 0;
    const guess = login({
      authHandler: (_left, _partial, next) => {
        asked++;
        if (asked <= 3) return next({ type: "password", username: "beasite", password: `guess ${asked}` });
        next({ type: "publickey", username: "anasite", key: key.private });
      },
    } as ConnectConfig);
    await expect(guess).rejects.toThrow();
    expect(await counted()).toBe(3);
    // Other keys that a program offers first are excused.
    const other = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
    const pem = other.export({ type: "pkcs1", format: "pem" }) as string;
    let offered = 0;
    const client = await login({
      authHandler: (_left, _partial, next) =>
        next({ type: "publickey", username: "beasite", key: offered++ === 0 ? pem : key.private }),
    } as ConnectConfig);
    client.end();
    expect(await counted()).toBe(3);
  });

  test.each(["does not read", "does not finish an exchange of keys"])("that %s costs no memory", async (manner) => {
    const pid = sftpProcess();
    const file = join(ana.folder.content, "uploads/large.bin");
    closeSync(openSync(file, "w"));
    truncateSync(file, 600 * 2 ** 20);
    const client = await login();
    const sftp = await open(client);
    const handle = await new Promise<Buffer>((resolve, reject) =>
      sftp.open("/wp-content/uploads/large.bin", "r", (error, opened) => (error ? reject(error) : resolve(opened))),
    );
    const before = memoryOf(pid);
    const socket = (client as unknown as { _sock: Socket })._sock;
    if (manner === "does not read") socket.pause();
    const { outgoing, incoming } = sftp as unknown as Record<"outgoing" | "incoming", { window: number; id: number }>;
    const { _protocol: protocol } = client as unknown as {
      _protocol: { channelWindowAdjust(id: number, size: number): void; rekey(): void };
    };
    protocol.channelWindowAdjust(outgoing.id, 2 ** 31 - 1 - incoming.window);
    const target = Buffer.alloc(2 ** 15);
    for (let position = 0; position < 600 * 2 ** 20; position += target.length)
      sftp.read(handle, target, 0, target.length, position, () => undefined);
    if (manner !== "does not read") {
      protocol.rekey();
      socket.pause();
    }
    await pause(3000);
    expect(memoryOf(pid) - before).toBeLessThan(150 * 2 ** 20);
    client.destroy();
    truncateSync(file, 0);
    await expectUnharmed(pid);
  });

  test("cannot make the server keep what it sends beyond its window", async () => {
    const pid = sftpProcess();
    const client = await login();
    const sftp = await open(client);
    const isClosed = closed(client);
    const before = memoryOf(pid);
    // A file that nobody reads keeps the SFTP server from reading on.
    execFileSync("mkfifo", [join(ana.folder.content, "uploads/fifo")]);
    sftp.open("/wp-content/uploads/fifo", "r", () => undefined);
    const { outgoing } = sftp as unknown as { outgoing: { id: number; window: number } };
    const { _protocol: protocol } = client as unknown as { _protocol: { channelData(id: number, data: Buffer): void } };
    for (let sent = 0; sent < 3000; sent++) protocol.channelData(outgoing.id, Buffer.alloc(30_000));
    await isClosed;
    expect(memoryOf(pid) - before).toBeLessThan(150 * 2 ** 20);

    await expectUnharmed(pid);
  });

  testLong("cannot fill the disk, and a full site can be cleared", async () => {
    const { content } = ana.folder;
    const file = join(content, "uploads/full.bin");
    closeSync(openSync(file, "w"));
    truncateSync(file, 16 * 2 ** 30);
    await pause(11_000); // until a measurement of another test is forgotten
    const client = await login();
    const sftp = await open(client);
    const isClosed = closed(client);
    sftp.writeFile("/wp-content/uploads/more.bin", Buffer.alloc(10 * 2 ** 20), () => undefined);
    await isClosed;
    expect(readFileSync(join(content, "uploads/more.bin")).length).toBeLessThan(2 ** 17);
    const again = await open(await login());
    await new Promise<void>((resolve, reject) =>
      again.unlink("/wp-content/uploads/full.bin", (error) => (error ? reject(error) : resolve())),
    );
    await new Promise<void>((resolve, reject) =>
      again.writeFile("/wp-content/uploads/more.bin", Buffer.alloc(10 * 2 ** 20), (error) =>
        error ? reject(error) : resolve(),
      ),
    );
    again.end();
  });

  test("is cut off when its access ends, or when the site is replaced", async () => {
    const end = {
      key: async () => {
        const { keys } = (await call(ana, "GET", "")).json();
        expect((await call(ana, "DELETE", `/keys/${keys[0].id}`)).statusCode).toBe(200);
      },
      work: () =>
        sites.server.db.execute(
          sql`update wordpress_sites set work = '{"kind": "restore", "id": "x", "progress": 0}' where project_id = ${ana.id}`,
        ),
    };
    const [first, second, other] = [await login(), await login(), await login({ username: "beasite" })];
    for (const client of [first, second, other]) await open(client);
    await Promise.all([closed(first), closed(second), end.key()]);
    await expect(login()).rejects.toThrow();
    await call(ana, "POST", "/keys", { name: "Portátil", key: key.public });
    const third = await login();
    await open(third);
    await Promise.all([closed(third), end.work()]);
    await expect(login()).rejects.toThrow();
    await sites.server.db.execute(sql`update wordpress_sites set work = null`);
    await open(other).catch(() => undefined); // still connected
    other.end();
  });

  test("is served again after the process was killed", async () => {
    const pid = sftpProcess();
    const client = await login();
    await open(client);
    const isClosed = closed(client);
    process.kill(pid, "SIGKILL");
    await isClosed;
    await eventually(() => list("anasite"));
    expect(sftpProcess()).not.toBe(pid);
    // The sandboxes of the dead process have ended with it.
    await eventually(() =>
      expect(processes().filter(({ command }) => command.includes(ana.folder.content))).toEqual([]),
    );
  });

  test("leaves no trace but what it wrote, which visitors see at once", async () => {
    const page = join(ana.folder.content, "uploads/hola.txt");
    const client = await login();
    const sftp = await open(client);
    await new Promise<void>((resolve, reject) =>
      sftp.writeFile("/wp-content/uploads/hola.txt", "hola", (error) => (error ? reject(error) : resolve())),
    );
    client.end();
    expect((await ana.ask("/wp-content/uploads/hola.txt")).text).toBe("hola");
    expect(existsSync(page)).toBe(true);
    writeFileSync(page, "");
  });
});

function processes() {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const command = readFileSync(`/proc/${name}/cmdline`, "utf8");
        return [{ pid: Number(name), command }];
      } catch {
        return []; // it has ended meanwhile
      }
    });
}

function sftpProcessAt(port: number): number {
  const found = processes().find(({ command }) => command.includes(`sftpProcess.ts\0${port}\0`));
  if (!found) throw new Error("there is no SFTP process");
  return found.pid;
}

function memoryOf(pid: number): number {
  return 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
}
