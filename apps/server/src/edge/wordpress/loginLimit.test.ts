import { listen, startApp } from "@nido/test-kit/app";
import { ask, openSites } from "@nido/test-kit/sites";
import { expect, onTestFinished, test } from "vitest";
import { rateLimits } from "../../config/rateLimits.ts";

test("guessing a site's password is limited for each /64 network, by all processes together", async () => {
  const env = { TRUSTED_PROXIES: "127.0.0.1" };
  const { server, open, folder } = await openSites(onTestFinished, env);
  const ana = await open("anasite");
  const other = await startApp({ env: { ...env, DATA_DIR: folder }, databaseUrl: server.databaseUrl });
  const otherAddress = await listen(other);
  const guess = (address: string) => ({
    form: { log: "nobody", pwd: "guess" },
    headers: { "x-forwarded-for": address },
  });
  // As if one guess less than the limit had been made.
  await server.limiter.takeMany("wordpressLogin", `${ana.id} 2001:db8:1:2`, rateLimits.wordpressLogin.max - 1);
  expect((await ana.ask("/wp-login.php", guess("2001:db8:1:2::1"))).status).toBe(200);
  const attack = guess("2001:db8:1:2:3:4:5:6");
  expect((await ana.ask("/wp-login.php", attack)).status).toBe(429);
  expect((await ask(otherAddress, "anasite.localhost:3000", "/wp-login.php", attack)).status).toBe(429);
  expect((await ask(otherAddress, "anasite.localhost:3000", "/xmlrpc.php", attack)).status).toBe(429);
  // A visitor of another network can still sign in.
  expect((await ana.ask("/wp-login.php", guess("2001:db8:1:3::1"))).status).toBe(200);
});
