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

test("logins with the right password are not counted", async () => {
  const { open } = await openSites(onTestFinished);
  const ana = await open("anasite");
  const probe = await ana.addProgram(
    "probe/password.php",
    "require '/wordpress/wp-load.php'; wp_set_password('Pan1234567', 1); echo get_userdata(1)->user_login;",
  );
  const log = (await ana.ask(probe)).text;
  const call = `<methodCall><methodName>wp.getUsersBlogs</methodName><params><param><value>${log}</value></param><param><value>Pan1234567</value></param></params></methodCall>`;
  for (let count = 0; count < rateLimits.wordpressLogin.max + 5; count++) {
    const answer = await ana.ask("/xmlrpc.php", { body: call, headers: { "content-type": "text/xml" } });
    expect([count, answer.status, answer.text.includes("isAdmin")]).toEqual([count, 200, true]);
  }
  expect((await ana.ask("/wp-login.php", { form: { log, pwd: "Pan1234567" } })).status).toBe(302);
  // Every other request to these scripts counts: messages can be caused there, too.
  const statuses = [];
  for (let count = 0; count <= rateLimits.wordpressLogin.max; count++)
    statuses.push((await ana.ask("/wp-login.php?action=lostpassword", { form: { user_login: "nobody" } })).status);
  expect(statuses.at(-1)).toBe(429);
});
