import { createServer } from "node:http";
import { createCustomer, signIn } from "@nido/test-kit/app";
import { listenOn } from "@nido/test-kit/listenOn";
import { openPublisher } from "@nido/test-kit/publish";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { projects } from "../db/schema.ts";
import { pictureJobHandlers } from "./jobHandlers.ts";
import { canTakePictures, takePicture } from "./takePicture.ts";

const whyNot = canTakePictures() ? undefined : "Chromium or bubblewrap is not installed";
const isWebp = (picture: Buffer) =>
  picture.subarray(0, 4).toString() === "RIFF" && picture.subarray(8, 12).toString() === "WEBP";

describe.skipIf(whyNot)(`a picture of a site${whyNot ? ` (skipped: ${whyNot})` : ""}`, () => {
  test("is taken after publishing; its owner alone sees it", { timeout: 120_000 }, async () => {
    const { server, cli, address, userId } = await openPublisher(createCustomer);
    await cli.publish("folio", { "index.html": "<body style='background:#0a0'><h1>folio</h1>" });
    const [project] = await server.db.select().from(projects).where(eq(projects.userId, userId));
    const id = project?.id as string;
    const sites = {
      scheme: "http:",
      domain: `localhost:${address.split(":")[1]}`,
      appHost: "localhost",
      addresses: [],
    };
    const [take] = pictureJobHandlers(server.db, sites);
    await take?.run({ projectId: id }, 1);
    const own = await signIn(server);
    const state = (await server.app.inject({ url: "/redux", headers: own })).json();
    const { picture } = state.projects[id];
    const response = await server.app.inject({ url: picture, headers: own });
    expect(response.headers["content-type"]).toBe("image/webp");
    expect(isWebp(response.rawPayload)).toBe(true);
    await createCustomer(server, "bea@example.com");
    const other = await signIn(server, "bea@example.com");
    expect((await server.app.inject({ url: picture, headers: other })).statusCode).toBe(404);
    expect((await server.app.inject({ url: picture, headers: { host: "localhost:3000" } })).statusCode).toBe(401);
  });

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
    const picture = await takePicture(`http://127.0.0.1:${own}/`, [`127.0.0.1:${own}`]);
    expect(isWebp(picture)).toBe(true);
    expect(loaded).toEqual(expect.arrayContaining(["/", "/own.png"]));
    expect(asked).toEqual([]);
  });

  test("a page that never ends, or is too large, costs no more than its budget", { timeout: 180_000 }, async () => {
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
      await takePicture(`http://127.0.0.1:${own}${path}`, [`127.0.0.1:${own}`]).catch(() => undefined);
    expect(page.listening).toBe(true);
  });
});
