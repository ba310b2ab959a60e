import { createCustomer, signIn, startApp } from "@nido/test-kit/app";
import { expect, test } from "vitest";
import { insertTask } from "./queries.ts";

test("a task is shown to its owner; another customer gets 404, a visitor 401", async () => {
  const server = await startApp();
  const userId = await createCustomer(server);
  await createCustomer(server, "bea@example.com");
  const task = { state: "running", progress: [{ progress: 0.2, message: "initializing_database" }] } as const;
  const id = await server.db.transaction((tx) => insertTask(tx, userId, { ...task, progress: [...task.progress] }));
  const get = async (path: string, headers: Record<string, string>) => {
    const response = await server.app.inject({ url: `/api/tasks/${path}`, headers });
    return [response.statusCode, response.json()];
  };

  const owner = await signIn(server);
  expect(await get(id, owner)).toEqual([200, task]);
  for (const unknown of [crypto.randomUUID(), "nonsense", "%00"]) {
    expect(await get(unknown, owner)).toEqual([404, { error: "error_not_found" }]);
  }
  expect(await get(id, await signIn(server, "bea@example.com"))).toEqual([404, { error: "error_not_found" }]);
  expect(await get(id, { host: "localhost:3000" })).toEqual([401, { error: "error_signed_out" }]);
});
