import type { SiteCare } from "@nido/contract";
import { signIn } from "@nido/test-kit/app";
import { settingsOf, testedRuntimes } from "@nido/test-kit/native";
import { openSites, type Sites, type TestSite } from "@nido/test-kit/sites";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** All tests of Site Health, those that its screen asks for one by one included. */
const listHealth = `
  require $_SERVER['DOCUMENT_ROOT'] . '/wp-load.php';
  foreach (array('file', 'misc', 'plugin', 'update', 'theme') as $part) require_once ABSPATH . "wp-admin/includes/$part.php";
  require_once ABSPATH . 'wp-admin/includes/class-wp-site-health.php';
  $health = WP_Site_Health::get_instance();
  $found = array();
  foreach (WP_Site_Health::get_tests() as $tests) foreach ($tests as $name => $test) {
    $run = $test['async_direct_test'] ?? $test['test'];
    if (is_string($run)) $run = array($health, 'get_test_' . $run);
    if (! is_callable($run)) continue;
    $result = apply_filters('site_status_test_result', call_user_func($run));
    $found[$name] = $result['status'];
    if ('good' !== $result['status']) $found[$name] .= ': ' . wp_strip_all_tags($result['label'] . ' ' . $result['description']);
  }
  echo json_encode($found);`;

describe.each(testedRuntimes("the health of sites"))("a new site on the %s runtime", (runtime) => {
  let sites: Sites;
  let ana: TestSite;
  const undos: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    const whenDone = (undo: () => Promise<void>) => undos.unshift(undo);
    const env = await settingsOf(runtime, whenDone);
    sites = await openSites(whenDone, env);
    ana = await sites.open("anasite");
  });
  afterAll(async () => {
    if (ana) await sites.server.wordpress.runtime.remove(ana.id);
    for (const undo of undos) await undo();
  });

  test("has no critical item in Site Health", async () => {
    const headers = await signIn(sites.server, "anasite@example.com");
    const { token } = (await sites.server.app.inject({ url: `/api/vault/${ana.id}/sso`, headers })).json();
    const entered = await ana.ask("/nido-sso", { form: { token } });
    const cookie = entered.headers["set-cookie"]?.map((line) => line.split(";")[0]).join("; ") ?? "";
    const program = await ana.addProgram("health.php", listHealth);
    const found = JSON.parse((await ana.ask(program, { headers: { cookie } })).text);
    const bad = Object.entries(found).filter(([, status]) => status !== "good");
    // Nothing here can reach wordpress.org, and these sites are served over plain HTTP. The embedded PHP has no intl.
    const explained = ["dotorg_communication", "php_version", "https_status"];
    if (runtime === "embedded") explained.push("php_extensions");
    expect(bad.filter(([name]) => !explained.includes(name))).toEqual([]);
    expect(Object.keys(found)).toEqual(expect.arrayContaining(["sql_server", "scheduled_events", "http_requests"]));
    if (runtime === "native") expect(found).toMatchObject({ loopback_requests: "good", rest_availability: "good" });
  });

  test("reports PHP's errors to its owner", async () => {
    const headers = await signIn(sites.server, "anasite@example.com");
    await ana.ask(await ana.addProgram("odd.php", "trigger_error('Odd', E_USER_WARNING);"));
    const care = (await sites.server.app.inject({ url: `/api/projects/${ana.id}/care`, headers })).json() as SiteCare;
    const messages = care.errors.map(({ message }) => message);
    expect(messages).toContain("PHP Warning:  Odd in plugins/odd.php on line 2");
  });

  test.runIf(runtime === "native")("reaches itself, and no other site or the dashboard that way", async () => {
    const bea = await sites.open("beasite");
    const call = (host: string, token = "explode(' ', $_SERVER['NIDO_LOOPBACK'])[1]") => `
      $handle = curl_init('http://${host}/');
      curl_setopt_array($handle, array(CURLOPT_UNIX_SOCKET_PATH => explode(' ', $_SERVER['NIDO_LOOPBACK'])[0],
        CURLOPT_HTTPHEADER => array('X-Nido-Loopback: ' . ${token}), CURLOPT_RETURNTRANSFER => true));
      curl_exec($handle);
      echo curl_getinfo($handle, CURLINFO_RESPONSE_CODE);`;
    const run = async (code: string) =>
      (await ana.ask(await ana.addProgram(`loop${Math.random().toString(36).slice(2)}.php`, code))).text;
    expect(await run(call("anasite.localhost:3000"))).toBe("200");
    // By WordPress's own functions, with redirects and parameters.
    const load = "require $_SERVER['DOCUMENT_ROOT'] . '/wp-load.php';";
    const echo = await ana.addProgram("echo.php", "echo json_encode($_GET);");
    const got = `${load} $args = array('body' => array('a' => 'b')); echo wp_remote_retrieve_body(wp_remote_get(home_url('${echo}'), $args));`;
    expect(await run(got)).toBe('{"a":"b"}');
    const redirected = `${load} echo wp_remote_retrieve_response_code(wp_remote_get(home_url('/wp-admin')));`;
    expect(await run(redirected)).toBe("200");
    for (const host of ["beasite.localhost:3000", "localhost:3000", "nobody.localhost:3000"])
      expect(await run(call(host)), host).toBe("403");
    for (const token of ["'x'", `'${bea.id}.' . explode('.', $_SERVER['NIDO_LOOPBACK'])[2]`, `'${bea.id}'`, "''"])
      expect(await run(call("beasite.localhost:3000", token)), token).toBe("403");
    await sites.server.wordpress.runtime.remove(bea.id);
  });
});
