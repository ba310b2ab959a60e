import { once } from "node:events";
import { existsSync, readdirSync, readlinkSync } from "node:fs";
import { connect as connectHttp2, constants } from "node:http2";
import { connect as connectTcp } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { connect as connectTls } from "node:tls";
import { freePort } from "@nido/test-kit/freePort";
import { openConnection, outputOf, startHttps, startWithSite } from "@nido/test-kit/httpsSite";
import { eventually } from "@nido/test-kit/waitUntil";
import { expect, test } from "vitest";

test("openssl finds TLS 1.2 and 1.3 with forward secrecy, and nothing older or weaker", async () => {
  const { port } = await startHttps();
  const connect = (...options: string[]) =>
    outputOf("openssl", ["s_client", "-connect", `127.0.0.1:${port}`, "-servername", "localhost", ...options]);
  expect(await connect("-tls1_3", "-alpn", "h2,http/1.1")).toMatch(/New, TLSv1\.3[\s\S]*ALPN protocol: h2/);
  expect(await connect("-tls1_2")).toMatch(/New, TLSv1\.[23], Cipher is ECDHE-ECDSA-AES128-GCM-SHA256/);
  for (const options of [
    ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"],
    ["-tls1", "-cipher", "ALL:@SECLEVEL=0"],
    ["-tls1_2", "-cipher", "AES128-SHA:ECDHE-ECDSA-AES128-SHA:AES128-GCM-SHA256:@SECLEVEL=0"],
  ])
    expect(await connect(...options)).toMatch(/Cipher is \(NONE\)|alert/);
  // Without a certificate for the name there is no handshake.
  expect(
    await outputOf("openssl", ["s_client", "-connect", `127.0.0.1:${port}`, "-servername", "other.example"]),
  ).toMatch(/alert|Cipher is \(NONE\)/);
});

test("curl and one HTTP/2 connection reach the dashboard and a site; each request is routed by its own host", async () => {
  const { port } = await startWithSite();
  const curl = (host: string, ...options: string[]) =>
    outputOf("curl", [
      "-sk",
      "--resolve",
      `${host}:${port}:127.0.0.1`,
      "-w",
      " %{http_version} %{http_code}",
      ...options,
      `https://${host}:${port}/`,
    ]);
  expect(await curl("folio.localhost", "--http2")).toBe("<h1>folio</h1> 2 200");
  expect(await curl("folio.localhost", "--http1.1")).toBe("<h1>folio</h1> 1.1 200");
  expect(await curl("localhost", "--http2")).toMatch(/<div id="root">[\s\S]* 2 200$/);

  const { request } = openConnection(port, "localhost");
  const page = await request("folio.localhost");
  expect(page).toMatchObject({ status: 200, text: "<h1>folio</h1>" });
  const known = { "if-none-match": page.headers["etag"] };
  expect(await request("folio.localhost", known)).toMatchObject({ status: 304, text: "" });
  expect((await request("localhost")).text).toContain('<div id="root">');
  expect(await request("missing.localhost")).toMatchObject({ status: 404 });
  expect(await request("other.example")).toMatchObject({ status: 421 });
  expect(await request("folio.localhost", { host: "localhost" })).toMatchObject({ status: 400 });
  const signedIn = await request(
    "localhost",
    { ":method": "POST", ":path": "/auth/simple", "content-type": "application/x-www-form-urlencoded" },
    "username=demo%40nido.example&password=Demo1234",
  );
  expect(signedIn.status).toBe(200);
  expect(signedIn.headers["set-cookie"]?.[0]).toMatch(/^__Host-nido_session=.*Secure/);
  // Over HTTP/1.1, too, a connection for one name is not used for another.
  expect(await curl("localhost", "--http1.1", "-H", "Host: other.example")).toBe("421 Misdirected Request\n 1.1 421");
});

test("behind a load balancer with the PROXY protocol, the visitor's address is known; connections without its header are closed", async () => {
  const { port, output } = await startHttps({ PROXY_PROTOCOL: "on", TRUSTED_PROXIES: "127.0.0.1", LOG_LEVEL: "info" });
  const header = Buffer.from("0d0a0d0a000d0a515549540a2111000ccb0071097f00000104d201bb", "hex"); // 203.0.113.9
  const socket = connectTcp(port, "127.0.0.1");
  socket.write(header);
  const secure = connectTls({
    socket,
    servername: "localhost",
    rejectUnauthorized: false,
    ALPNProtocols: ["http/1.1"],
  });
  secure.write(`GET /api/settings HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`);
  expect(await text(secure)).toMatch(/^HTTP\/1\.1 200 /);
  await eventually(() => expect(output()).toContain('"ip":"203.0.113.9"'));

  const direct = connectTls({ host: "127.0.0.1", port, servername: "localhost", rejectUnauthorized: false });
  const [error] = await once(direct, "error");
  expect(error.code).toBe("ECONNRESET");
});

test("health checks have a port of their own, where they need no PROXY protocol header and reach nothing else", async () => {
  const health = await freePort();
  await startHttps({ PROXY_PROTOCOL: "on", TRUSTED_PROXIES: "192.0.2.1", HEALTH_PORT: String(health) });
  const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${health}${path}`)).status;
  expect(await Promise.all(["/healthz", "/readyz", "/", "/api/settings"].map(statusOf))).toEqual([200, 200, 404, 404]);
});

test("a resumed TLS 1.2 connection, on which Node does not know the name, is answered over both protocols", async () => {
  const { port } = await startWithSite();
  const options = { host: "127.0.0.1", port, servername: "folio.localhost", rejectUnauthorized: false };
  for (const [protocol, version] of [
    ["h2", "--http2"],
    ["http/1.1", "--http1.1"],
  ] as const) {
    const first = connectTls({ ...options, ALPNProtocols: [protocol], maxVersion: "TLSv1.2" });
    const [session] = await once(first, "session");
    first.destroy();
    const second = connectTls({ ...options, ALPNProtocols: [protocol], maxVersion: "TLSv1.2", session });
    await once(second, "secureConnect");
    expect(second.isSessionReused()).toBe(true);
    if (protocol === "h2") {
      const client = connectHttp2(`https://folio.localhost:${port}`, { createConnection: () => second });
      const stream = client.request({ ":authority": `folio.localhost:${port}`, ":path": "/" });
      expect((await once(stream, "response"))[0][":status"]).toBe(200);
      client.destroy();
    } else {
      second.write(`GET / HTTP/1.1\r\nHost: folio.localhost:${port}\r\nConnection: close\r\n\r\n`);
      expect(await text(second)).toMatch(/^HTTP\/1\.1 200 /);
    }
    expect(await outputOf("curl", ["-sk", version, `https://localhost:${port}/healthz`])).toContain("ok");
  }
});

test("visitors who leave while a file is being opened leave no open file behind", async () => {
  const { port, pid } = await startWithSite();
  const { session, request } = openConnection(port, "folio.localhost");
  const openFiles = () => {
    const targets = readdirSync(`/proc/${pid}/fd`).map((fd) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`);
      } catch {
        return ""; // closed meanwhile
      }
    });
    return targets.filter((target) => target.includes("/blobs/"));
  };
  const path = { ":path": "/film.bin", ":authority": `folio.localhost:${port}` };
  expect((await request("folio.localhost", { ":path": "/film.bin" })).text).toHaveLength(3 * 2 ** 20);
  for (let round = 0; round < 20; round++) {
    const streams = Array.from({ length: 20 }, () => session.request(path));
    for (const [index, stream] of streams.entries()) {
      stream.on("error", () => undefined);
      setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), index);
    }
    await Promise.all(streams.map((stream) => once(stream, "close")));
  }
  // Garbage collection would close them, too, but much later.
  await eventually(() => expect(openFiles()).toEqual([]), { stallMs: 20_000 });
});

const whyNoPython = existsSync("/usr/lib/python3/dist-packages/h2") ? undefined : "python3-h2 is missing";
if (whyNoPython) console.log(`Skipped: conformance to HTTP/2, because ${whyNoPython}.`);

test.skipIf(whyNoPython)(
  "Python's h2 finds a server that conforms to HTTP/2 and survives what the standard forbids",
  async () => {
    const { port } = await startWithSite();
    const script = join(import.meta.dirname, "conformance.py");
    const output = await outputOf("/usr/bin/python3", [script, String(port), "folio.localhost"]);
    const results = Object.fromEntries(
      output
        .trim()
        .split("\n")
        .map((line) => line.split(": ") as [string, string]),
    );
    // The numbers are the standard's error codes: 1 is PROTOCOL_ERROR, 2 is INTERNAL_ERROR, 6 is FRAME_SIZE_ERROR,
    // 9 is COMPRESSION_ERROR.
    expect(results).toEqual({
      "fifty requests at once": "50 x 200, 700 bytes",
      "DATA on stream 0": "GOAWAY 1",
      "HEADERS on an even stream": "GOAWAY 1",
      "WINDOW_UPDATE of 0": "GOAWAY 1",
      "a frame above the maximum size": "GOAWAY 6",
      "PING of 7 bytes": "GOAWAY 6",
      "SETTINGS on a stream": "GOAWAY 1",
      "CONTINUATION without HEADERS": "GOAWAY 1",
      "a header block that cannot be decoded": "GOAWAY 9",
      "a request without :path": "RST_STREAM 1",
      "an upper-case header name": "RST_STREAM 1",
      "a connection header": "RST_STREAM 1",
      "more DATA than the length says": "GOAWAY 2",
      "fifty requests afterwards": "50 x 200, 700 bytes",
    });
  },
);
