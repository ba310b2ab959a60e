import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { createCustomer, signIn } from "@nido/test-kit/app";
import { giveToken, openPublisher } from "@nido/test-kit/publish";
import { ask } from "@nido/test-kit/sites";
import { eventually } from "@nido/test-kit/waitUntil";
import { expect, onTestFinished, test, vi } from "vitest";

test("a request whose body does not arrive in 20 seconds is ended; an upload and a neighbour's request are not", async () => {
  const { server, address, userId } = await openPublisher(createCustomer);
  const token = await giveToken(server, userId);
  const headers = await signIn(server);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());

  const begin = async (path: string): Promise<Socket> => {
    const socket = connect(Number(address.split(":")[1]), "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => undefined).resume();
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: localhost:3000\r\nauthorization: Bearer ${token}\r\n` +
        "content-type: application/json\r\ncontent-length: 2\r\n\r\n{",
    );
    await once(server.app.server, "request");
    return socket;
  };
  const slow = await Promise.all(["/redux", "/billing/webhook"].map(begin));
  const upload = await begin("/api/cli/projects/folio/deploys");
  // Their hooks have run before those of a later request.
  const visit = () => ask(address, "localhost:3000", "/redux", { headers });
  expect((await visit()).status).toBe(200);

  vi.advanceTimersByTime(20_000);
  vi.useRealTimers();
  await eventually(() => expect(slow.map(({ closed }) => closed)).toEqual([true, true]));
  expect((await visit()).status).toBe(200);
  upload.write("}");
  const [answer] = await once(upload, "data");
  expect(String(answer)).toMatch(/^HTTP\/1\.1 400 /);
});
