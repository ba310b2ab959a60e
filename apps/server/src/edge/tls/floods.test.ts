import { once } from "node:events";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { openConnection, startWithSite } from "@nido/test-kit/httpsSite";
import { eventually } from "@nido/test-kit/waitUntil";
import { memoryOf, webProcesses } from "@nido/test-kit/webProcesses";
import { expect, onTestFinished, test } from "vitest";

const [data, headers, reset, settings, ping, continuation] = [0, 1, 3, 4, 6, 9];
const [endStream, endHeaders] = [1, 4];
/** More of an attack is sent only while the server accepts it, up to this. */
const maxBatches = 200;
const perBatch = 1000;
/** the attackers' own address */
const localAddress = "127.0.0.2";

interface Attack {
  /** sent first */
  begin?: Buffer[];
  /** the frames of a batch, whose number is given */
  flood: (batch: number) => Buffer[];
  /** The attacker reads no answers. */
  isDeaf?: boolean;
  /** The server closes the connection. Where it does not, the attack costs it nothing worth mentioning. */
  isFatal?: boolean;
}

/** A frame of HTTP/2. Node's own client keeps back requests that are cancelled before they are sent. */
function frame(type: number, flags: number, stream: number, payload: Buffer | string): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, Buffer.from(payload)]);
}

/** The header block of a request: two entries of HPACK's static table, and two literals with names from it. */
function requestHead(authority: string, path: string, method: "GET" | "POST" = "GET"): Buffer {
  const literal = (name: number, value: string) => [Buffer.of(name, value.length), Buffer.from(value)];
  return Buffer.concat([
    Buffer.of(method === "GET" ? 0x82 : 0x83, 0x87),
    ...literal(1, authority),
    ...literal(4, path),
  ]);
}

function repeat(frame: Buffer): Buffer[] {
  return Array.from({ length: perBatch }, () => frame);
}

/** A header that takes 4000 bytes in the connection's table, and a block that refers to it, with a byte each time. */
function headerBomb(authority: string): { plant: Buffer; explode: Buffer } {
  const value = Buffer.alloc(4000, "a");
  const length = value.length - 127;
  const entry = [Buffer.of(0x40, 1), Buffer.from("x"), Buffer.of(0x7f, (length & 127) | 128, length >> 7), value];
  const request = requestHead(authority, "/");
  return {
    plant: Buffer.concat([request, ...entry]),
    explode: Buffer.concat([request, Buffer.alloc(8000, 0xbe)]),
  };
}

function framesIn(bytes: Buffer): { type: number | undefined; id: number }[] {
  const frames = [];
  for (let at = 0; at + 9 <= bytes.length; at += 9 + bytes.readUIntBE(at, 3))
    frames.push({ type: bytes[at + 3], id: bytes.readUInt32BE(at + 5) });
  return frames;
}

async function attackerAt(port: number, servername: string): Promise<TLSSocket> {
  const options = { host: "127.0.0.1", localAddress, port, servername, rejectUnauthorized: false };
  const attacker = connectTls({ ...options, ALPNProtocols: ["h2"] });
  onTestFinished(() => void attacker.destroy());
  attacker.on("error", () => undefined);
  await once(attacker, "secureConnect");
  attacker.write(Buffer.concat([Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), frame(settings, 0, 0, "")]));
  return attacker;
}

test("a flood of frames over HTTP/2 ends its connection or costs little, and other visitors notice nothing", async () => {
  const { port, pid } = await startWithSite();
  const visitor = openConnection(port, "folio.localhost");
  const [site, dashboard] = [`folio.localhost:${port}`, `localhost:${port}`];
  const bomb = headerBomb(site);
  const noError = Buffer.alloc(4);
  const streamsOf = (batch: number) => Array.from({ length: 100 }, (_, index) => 1 + 2 * (batch * 100 + index));
  const attacks: Record<string, Attack> = {
    "streams that are opened and reset at once": {
      isFatal: true,
      flood: (batch) =>
        streamsOf(batch).flatMap((id) => {
          // One in ten is answered from memory, the others come from a route.
          const head = id % 20 === 1 ? requestHead(site, "/") : requestHead(dashboard, "/api/settings");
          return [frame(headers, endStream | endHeaders, id, head), frame(reset, 0, id, noError)];
        }),
    },
    SETTINGS: { flood: () => repeat(frame(settings, 0, 0, "")) },
    "SETTINGS whose answers are not read": {
      flood: () => repeat(frame(settings, 0, 0, "")),
      isDeaf: true,
      isFatal: true,
    },
    PING: { flood: () => repeat(frame(ping, 0, 0, "12345678")) },
    "PING whose answers are not read": {
      flood: () => repeat(frame(ping, 0, 0, "12345678")),
      isDeaf: true,
      isFatal: true,
    },
    "empty DATA": {
      begin: [frame(headers, endHeaders, 1, requestHead(dashboard, "/redux", "POST"))],
      flood: () => repeat(frame(data, 0, 1, "")),
    },
    CONTINUATION: {
      isFatal: true,
      begin: [frame(headers, 0, 1, requestHead(site, "/"))],
      flood: () => repeat(frame(continuation, 0, 1, Buffer.alloc(100, 0x82))),
    },
    "header bomb": {
      begin: [frame(headers, endStream | endHeaders, 1, bomb.plant)],
      flood: (batch) => streamsOf(batch + 1).map((id) => frame(headers, endStream | endHeaders, id, bomb.explode)),
    },
  };
  for (let index = 0; index < 20; index++) await visitor.request("folio.localhost");
  for (const [name, { begin = [], flood, isDeaf, isFatal }] of Object.entries(attacks)) {
    const before = memoryOf(webProcesses(pid));
    const attacker = await attackerAt(port, "localhost");
    if (!isDeaf) attacker.resume();
    attacker.write(Buffer.concat(begin));
    for (let batch = 0; batch < maxBatches && !attacker.closed; batch++) {
      attacker.write(Buffer.concat(flood(batch)));
      expect(await visitor.request("folio.localhost"), name).toMatchObject({ status: 200, text: "<h1>folio</h1>" });
    }
    if (isFatal) await eventually(() => expect(attacker.closed, name).toBe(true));
    expect((memoryOf(webProcesses(pid)) - before) / 1e6, name).toBeLessThan(100);
    attacker.destroy();
  }
});

test("a header block that is far larger than its bytes is refused before it is in memory", async () => {
  const { port } = await startWithSite();
  const bomb = headerBomb(`folio.localhost:${port}`);
  const attacker = await attackerAt(port, "folio.localhost");
  let received = Buffer.alloc(0);
  attacker.on("data", (chunk) => {
    received = Buffer.concat([received, chunk]);
  });
  attacker.write(frame(headers, endStream | endHeaders, 1, bomb.plant));
  attacker.write(frame(headers, endStream | endHeaders, 3, bomb.explode));
  const answersOn = (stream: number) => framesIn(received).filter(({ id }) => id === stream);
  await eventually(() => {
    expect(answersOn(1).map(({ type }) => type)).toContain(headers);
    expect(answersOn(3)).not.toEqual([]);
  });
  expect(answersOn(3).map(({ type }) => type)).toEqual([reset]);
});

test("visitors who request large files over both protocols and read nothing keep little memory and nobody else waiting", async () => {
  const { port, pid } = await startWithSite();
  const visitor = openConnection(port, "folio.localhost");
  for (let index = 0; index < 20; index++) await visitor.request("folio.localhost");
  const before = memoryOf(webProcesses(pid));
  const films = Array.from({ length: 100 }, (_, index) =>
    frame(headers, endStream | endHeaders, 1 + 2 * index, requestHead(`folio.localhost:${port}`, "/film.bin")),
  );
  const options = { host: "127.0.0.1", localAddress, port, servername: "folio.localhost", rejectUnauthorized: false };
  for (let index = 0; index < 20; index++) {
    const overHttp2 = await attackerAt(port, "folio.localhost");
    overHttp2.write(Buffer.concat(films));
    const overHttp1 = connectTls(options);
    onTestFinished(() => void overHttp1.destroy());
    overHttp1.on("error", () => undefined);
    overHttp1.write(`GET /film.bin HTTP/1.1\r\nhost: folio.localhost:${port}\r\n\r\n`.repeat(20));
    expect(await visitor.request("folio.localhost")).toMatchObject({ status: 200, text: "<h1>folio</h1>" });
  }
  for (let index = 0; index < 100; index++)
    expect(await visitor.request("folio.localhost")).toMatchObject({ status: 200, text: "<h1>folio</h1>" });
  // Without a limit for the address, the two thousand streams take 400 MB.
  expect((memoryOf(webProcesses(pid)) - before) / 1e6).toBeLessThan(250);
  const other = openConnection(port, "folio.localhost");
  const film = await other.request("folio.localhost", { ":path": "/film.bin" });
  expect(film.text).toHaveLength(3 * 2 ** 20);
});
