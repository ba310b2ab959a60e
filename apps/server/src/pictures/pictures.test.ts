import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createCustomer, signIn } from "@nido/test-kit/app";
import { listenOn } from "@nido/test-kit/listenOn";
import { testLong } from "@nido/test-kit/long";
import { openPublisher } from "@nido/test-kit/publish";
import { whyNoPictures } from "@nido/test-kit/whyNoPictures";
import { eq } from "drizzle-orm";
import { describe, expect, onTestFinished, test } from "vitest";
import { projects } from "../db/schema.ts";
import { storePicture } from "./queries.ts";
import { startSiteProxy } from "./startSiteProxy.ts";
import { takePicture } from "./takePicture.ts";

const whyNot = whyNoPictures();
const isWebp = (picture: Buffer) =>
  picture.subarray(0, 4).toString() === "RIFF" && picture.subarray(8, 12).toString() === "WEBP";

test("a picture is for its owner alone", async () => {
  const { server, cli, userId } = await openPublisher(createCustomer);
  await cli.publish("folio", { "index.html": "<h1>folio</h1>" });
  const [project] = await server.db.select().from(projects).where(eq(projects.userId, userId));
  const id = project?.id as string;
  await storePicture(server.db, id, Buffer.from("RIFF....WEBP"));
  const own = await signIn(server);
  const { picture } = (await server.app.inject({ url: "/redux", headers: own })).json().projects[id];
  const response = await server.app.inject({ url: picture, headers: own });
  expect(response.headers["content-type"]).toBe("image/webp");
  expect(response.body).toBe("RIFF....WEBP");
  await createCustomer(server, "bea@example.com");
  const other = await signIn(server, "bea@example.com");
  expect((await server.app.inject({ url: picture, headers: other })).statusCode).toBe(404);
  expect((await server.app.inject({ url: picture, headers: { host: "localhost:3000" } })).statusCode).toBe(401);
});

const siteAt = (port: number) => ({ names: [`127.0.0.1:${port}`], target: "127.0.0.1" });

describe.skipIf(whyNot)(`a picture of a site${whyNot ? ` (skipped: ${whyNot})` : ""}`, () => {
  test("a hostile page reaches nothing but its own host", { timeout: 120_000 }, async () => {
    const asked: string[] = [];
    const neighbour = createServer((request, response) => {
      asked.push(String(request.url));
      response.writeHead(200, { "access-control-allow-origin": "*" }).end("secret");
    });
    const near = await listenOn(neighbour);
    const loaded: string[] = [];
    const page = createServer((request, response) => {
      loaded.push(String(request.url));
      response.writeHead(200, { "content-type": "text/html" }).end(`<h1>x</h1><img src="/own.png">
        <img src="http://127.0.0.1:${near}/ip"><img src="http://localhost:${near}/name"><iframe src="http://[::1]:${near}/six"></iframe>
        <iframe src="file:///etc/passwd"></iframe><script>
          fetch("http://127.0.0.1:${near}/fetch").catch(() => {});
          new WebSocket("ws://127.0.0.1:${near}/socket");
          navigator.sendBeacon("http://127.0.0.1:${near}/beacon");
        </script>`);
    });
    const own = await listenOn(page);
    const picture = await takePicture(`http://127.0.0.1:${own}/`, siteAt(own));
    expect(isWebp(picture as Buffer)).toBe(true);
    expect(loaded).toEqual(expect.arrayContaining(["/", "/own.png"]));
    expect(asked).toEqual([]);
  });

  testLong("a page that never ends, or is too large, costs no more than its budget", { timeout: 180_000 }, async () => {
    const page = createServer((request, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      if (request.url === "/endless") return void response.write("<h1>endless</h1><script>for(;;);</script>");
      const chunk = Buffer.alloc(2 ** 20, "x");
      const send = () => {
        while (!response.destroyed && response.write(chunk));
        response.once("drain", send);
      };
      send();
    });
    const own = await listenOn(page);
    for (const path of ["/endless", "/large"])
      await takePicture(`http://127.0.0.1:${own}${path}`, siteAt(own)).catch(() => undefined);
    expect(page.listening).toBe(true);
  });

  test("a customer's name leads to the site, wherever its DNS points; errors and other hosts are no picture", async () => {
    const hosts: string[] = [];
    const page = createServer((request, response) => {
      hosts.push(String(request.headers.host));
      if (request.url === "/broken") return void response.writeHead(503, { "content-type": "text/html" }).end("x");
      if (request.url === "/away") return void response.writeHead(302, { location: "http://169.254.169.254/" }).end();
      response.writeHead(200, { "content-type": "text/html" }).end("<h1>own</h1>");
    });
    const port = await listenOn(page);
    // This name has no address at all: nobody asks DNS for it.
    const site = { names: [`evil.invalid:${port}`], target: "127.0.0.1" };
    expect(isWebp((await takePicture(`http://evil.invalid:${port}/`, site)) as Buffer)).toBe(true);
    expect(new Set(hosts)).toEqual(new Set([`evil.invalid:${port}`]));
    expect(await takePicture(`http://evil.invalid:${port}/broken`, site)).toBeUndefined();
    expect(await takePicture(`http://evil.invalid:${port}/away`, site)).toBeUndefined();
  });

  test("a browser that leaves in the middle, and headers that cannot be passed on, end nothing here", async () => {
    const folder = mkdtempSync(join(tmpdir(), "nido-proxy-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const page = createServer((_request, response) => {
      response.socket?.end("HTTP/1.1 200 OK\r\nTrailer: x\r\nContent-Length: 0\r\n\r\n");
    });
    const port = await listenOn(page);
    const path = join(folder, "proxy.sock");
    const proxy = await startSiteProxy(path, siteAt(port));
    for (const text of [
      `CONNECT fonts.example:443 HTTP/1.1\r\n\r\n`,
      `CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\n`,
      `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\n\r\n`,
      `GET http://127.0.0.1:9/ HTTP/1.1\r\nHost: x\r\n\r\n`,
      "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    ]) {
      for (const waitMs of [0, 5, 50]) {
        const socket = connect(path).on("error", () => undefined);
        socket.write(text);
        await pause(waitMs);
        socket.destroy();
      }
    }
    await pause(200);
    await proxy.close();
    expect(page.listening).toBe(true);
  });
});
