import { once } from "node:events";
import { type AddressInfo, createServer, type Server as NetServer } from "node:net";
import ssh2, { type Algorithms, type SFTPWrapper } from "ssh2";
import { afterEach, expect, test } from "vitest";
import { bringPlugin } from "./bringPlugin.ts";

const { Server, utils } = ssh2;
const status = utils.sftp.STATUS_CODE;
const servers: { close: () => void }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function open(server: NetServer | InstanceType<typeof Server>) {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  servers.push(server);
  const { port } = server.address() as AddressInfo;
  return { host: "127.0.0.1", port, user: "luz", password: "secret" };
}

/** An SSH server that accepts every password, and answers SFTP as told. */
const openSftp = (serve: (sftp: SFTPWrapper) => void, algorithms: Algorithms = {}) =>
  open(
    new Server({ hostKeys: [utils.generateKeyPairSync("ed25519").private], algorithms }, (client) => {
      client.on("error", () => undefined);
      client.on("authentication", (request) => (request.method === "password" ? request.accept() : request.reject()));
      client.on("session", (accept) => accept().on("sftp", (accept) => serve(accept())));
    }),
  );

const bring = (account: Awaited<ReturnType<typeof open>>, { mayBePrivate = true, ms = 20_000 } = {}) =>
  bringPlugin(account, "https://floristeria.example", async () => "brought", {
    ...{ mayBePrivate, signal: AbortSignal.timeout(ms) },
  });

test("a server that does not speak SSH, or is silent, is told as unreachable", async () => {
  const http = createServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
  const ends = createServer((socket) => socket.destroy());
  const mute = createServer(() => undefined);
  for (const [server, ms] of [[http], [ends], [mute, 300]] as const)
    await expect(bring(await open(server), { ...(ms && { ms }) })).rejects.toMatchObject({ key: "error_move_in_sftp" });
});

test("a server on this machine or in a private network is never asked", async () => {
  let asked = 0;
  const account = await open(createServer(() => asked++));
  for (const host of ["127.0.0.1", "localhost", "::1", "169.254.169.254", "0x7f000001"])
    await expect(bring({ ...account, host }, { mayBePrivate: false })).rejects.toMatchObject({
      key: "error_move_in_sftp",
    });
  expect(asked).toBe(0);
});

test("a server that wants to send compressed data, or to choose the numbers of the key exchange, is refused", async () => {
  const serve = (sftp: SFTPWrapper) => void sftp.on("OPENDIR", (id) => sftp.status(id, status.NO_SUCH_FILE));
  const hostile = {
    compression: [{ compress: ["zlib"] }, { compress: ["zlib@openssh.com"] }],
    "key exchange": [{ kex: ["diffie-hellman-group-exchange-sha256"] }, { kex: ["diffie-hellman-group18-sha512"] }],
  } satisfies Record<string, Algorithms[]>;
  for (const [what, offers] of Object.entries(hostile))
    for (const algorithms of offers)
      await expect(bring(await openSftp(serve, algorithms)), JSON.stringify(algorithms)).rejects.toMatchObject({
        key: "error_move_in_sftp",
        cause: { message: expect.stringMatching(`no matching .*${what}`) },
      });

  for (const algorithms of [{}, { kex: ["diffie-hellman-group14-sha256"] }] satisfies Algorithms[])
    await expect(bring(await openSftp(serve, algorithms))).rejects.toMatchObject({ key: "error_move_in_sftp_folder" });
});

test("folders without end, and an SFTP server that stops answering, are given up", async () => {
  let listed = 0;
  const endless = await openSftp((sftp) => {
    const attrs = { mode: 0o40755, uid: 0, gid: 0, size: 0, atime: 0, mtime: 0 };
    sftp.on("OPENDIR", (id) => sftp.handle(id, Buffer.from("1")));
    sftp.on("READDIR", (id) => sftp.name(id, [{ filename: `f${listed++}`, longname: "x".repeat(1000), attrs }]));
    sftp.on("CLOSE", (id) => sftp.status(id, status.OK));
  });
  await expect(bring(endless, { ms: 600_000 })).rejects.toMatchObject({ key: "error_move_in_sftp_folder" });
  expect(listed).toBeLessThan(100_000);
  const mute = await openSftp((sftp) => void sftp.on("OPENDIR", () => undefined));
  await expect(bring(mute, { ms: 1000 })).rejects.toMatchObject({ key: "error_move_in_sftp" });
});

test("a folder that cannot be written, and a WordPress that refuses the plugin, leave nothing behind", async () => {
  const files = new Set<string>();
  const serve = (mayWrite: boolean) => (sftp: SFTPWrapper) => {
    const attrs = { mode: 0o40755, uid: 0, gid: 0, size: 0, atime: 0, mtime: 0 };
    let isRead = false;
    sftp.on("OPENDIR", (id, path) =>
      path === "." ? sftp.handle(id, Buffer.from("1")) : sftp.status(id, status.NO_SUCH_FILE),
    );
    sftp.on("READDIR", (id) => {
      const names = ["wp-content", "wp-includes"].map((filename) => ({ filename, longname: filename, attrs }));
      isRead ? sftp.status(id, status.EOF) : sftp.name(id, names);
      isRead = true;
    });
    sftp.on("REALPATH", (id) => sftp.name(id, [{ filename: "/home/luz", longname: "", attrs }]));
    sftp.on("OPEN", (id, path) => {
      if (!mayWrite && path.endsWith("table-sql.php")) return sftp.status(id, status.PERMISSION_DENIED);
      files.add(path);
      sftp.handle(id, Buffer.from("2"));
    });
    for (const request of ["WRITE", "CLOSE", "MKDIR", "RMDIR", "FSETSTAT"] as const)
      sftp.on(request as "CLOSE", (id) => sftp.status(id, status.OK));
    sftp.on("REMOVE", (id, path) => {
      files.delete(path);
      sftp.status(id, status.OK);
    });
  };
  await expect(bring(await openSftp(serve(false)))).rejects.toMatchObject({ key: "error_move_in_sftp_folder" });
  expect([...files]).toEqual([]);

  expect(await bring(await openSftp(serve(true)))).toBe("brought");
  expect([...files].sort()).toEqual([
    "/home/luz/wp-content/mu-plugins/nido-move.php",
    "/home/luz/wp-content/mu-plugins/nido-move/nido-move.php",
    "/home/luz/wp-content/mu-plugins/nido-move/table-sql.php",
  ]);
  const fails = async () => {
    throw new Error("it is down");
  };
  const options = { mayBePrivate: true, signal: AbortSignal.timeout(20_000) };
  await expect(bringPlugin(await openSftp(serve(true)), "https://floristeria.example", fails, options)).rejects.toThrow(
    "it is down",
  );
  expect([...files]).toEqual([]);
});
