import type { CustomerState } from "@nido/contract";
import { createCustomer, signIn } from "@nido/test-kit/app";
import { cliOf, giveToken, openPublisher } from "@nido/test-kit/publish";
import { addProject } from "@nido/test-kit/seed";
import { expect, test } from "vitest";

test("each static site has the bytes of all the customer's deploys, and what their static plans allow", async () => {
  const { server, address, userId, cli } = await openPublisher(createCustomer);
  const headers = await signIn(server);
  await addProject(server.db, userId, "panaderialuz", { recipe: "wordpress_business" });
  const storages = async () => {
    const { projects }: CustomerState = (await server.app.inject({ url: "/redux", headers })).json();
    return Object.fromEntries(Object.values(projects).map(({ name, storage }) => [name, storage]));
  };
  expect(await storages()).toEqual({ folio: { used: 0, allowed: 5e9 }, panaderialuz: undefined });

  await addProject(server.db, userId, "portfolio24", { recipe: "static_starter" });
  await cli.publish("folio", { "index.html": "x".repeat(100) });
  await cli.publish("folio", { "index.html": "y".repeat(20) });
  await cli.publish("portfolio24", { "index.html": "z".repeat(3), "copy.html": "x".repeat(100) });
  const otherId = await createCustomer(server, "bea@example.com");
  await addProject(server.db, otherId, "estudiomarin", { recipe: "static_starter" });
  const other = cliOf(address, await giveToken(server, otherId));
  await other.publish("estudiomarin", { "index.html": "w".repeat(4000) });

  const storage = { used: 123, allowed: 10e9 };
  expect(await storages()).toEqual({ folio: storage, portfolio24: storage, panaderialuz: undefined });
});
