import { readdirSync, readFileSync } from "node:fs";
import { signIn } from "@nido/test-kit/app";
import { openSites, type Sites, type TestSite } from "@nido/test-kit/sites";
import { eventually } from "@nido/test-kit/waitUntil";
import { afterAll, beforeAll, expect, test } from "vitest";

let sites: Sites;
let ana: TestSite;
const undos: (() => Promise<void>)[] = [];

beforeAll(async () => {
  sites = await openSites((undo) => undos.unshift(undo));
  ana = await sites.open("anasite");
});
afterAll(async () => {
  for (const undo of undos) await undo();
});

const load = "require $_SERVER['DOCUMENT_ROOT'] . '/wp-load.php';";

function fileForm(name: string, type: string, content: Buffer) {
  const head = `--xyz\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: ${type}\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), content, Buffer.from("\r\n--xyz--\r\n")]);
  return { body, headers: { "content-type": "multipart/form-data; boundary=xyz" } };
}

test("a request can use the memory that the plan promises, and no more", async () => {
  const path = await ana.addProgram(
    "memory.php",
    `${load} for ($i = 0; $i < 10 * $_GET['mb']; $i++) $a[] = str_repeat('a', 102000); echo memory_get_usage(true) >> 20;`,
  );
  expect(Number((await ana.ask(`${path}?mb=117`)).text)).toBeGreaterThan(120);
  expect((await ana.ask(`${path}?mb=135`)).status).toBe(500);
  expect((await ana.ask("/")).status).toBe(200);
});

test.each([
  ["pieces", "echo str_repeat('x', 100000);"],
  ["lines", 'echo "\\n"; flush();'],
  ["log entries", "file_put_contents('php://stderr', str_repeat('x', 100000));"],
])("a page that prints %s without end is ended, and other sites' PHP runs on", async (_what, code) => {
  const host = () =>
    readdirSync("/proc").find(
      (pid) => /^\d+$/.test(pid) && /host\.ts\0/.test(commandOf(pid)) && commandOf(pid).includes(sites.folder),
    );
  const path = await ana.addProgram(`endless${Math.random()}.php`, `set_time_limit(0); for (;;) { ${code} }`);
  // A slow machine may need more than one request to start PHP.
  const isServed = () => eventually(async () => expect((await ana.ask("/wp-login.php")).status).toBe(200));
  await isServed();
  const before = host();
  expect(before).toBeDefined();
  const { status } = await ana.ask(path).catch(() => ({ status: 0 }));
  expect([0, 200, 500, 503]).toContain(status);
  await isServed();
  expect(host()).toBe(before);
});

test("a large export, printed in small pieces, is not ended", async () => {
  const code = "for ($line = str_pad('', 39, 'x') . PHP_EOL, $i = 0; $i < 320000; $i++) echo $line;";
  const { status, text } = await ana.ask(await ana.addProgram("export.php", code));
  expect([status, text.length]).toEqual([200, 320_000 * 40]);
});

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return ""; // it has ended meanwhile
  }
}

test("a file of the largest allowed size is uploaded to a site in use", async () => {
  const path = await ana.addProgram(
    "upload.php",
    `${load} $to = WP_CONTENT_DIR . '/uploads/x.bin'; move_uploaded_file($_FILES['file']['tmp_name'], $to); echo filesize($to);`,
  );
  const size = 63 * 2 ** 20;
  const file = fileForm("x.bin", "text/plain", Buffer.alloc(size, "a"));
  for (const _ of [1, 2]) expect((await ana.ask(path, file)).text).toBe(String(size));
});

test("AVIF images are refused, because PHP here would make empty ones of them", async () => {
  const customer = await signIn(sites.server, "anasite@example.com");
  const { token } = (await sites.server.app.inject({ url: `/api/vault/${ana.id}/sso`, headers: customer })).json();
  const entered = await ana.ask("/nido-sso", { form: { token } });
  const cookie = entered.headers["set-cookie"]?.map((line) => line.split(";")[0]).join("; ") ?? "";
  const nonce = await ana.ask("/wp-admin/admin-ajax.php?action=rest-nonce", { headers: { cookie } });
  const { body, headers } = fileForm("plaza.avif", "image/avif", Buffer.alloc(2000, 1));
  const upload = await ana.ask("/wp-json/wp/v2/media", {
    body,
    headers: { ...headers, cookie, "x-wp-nonce": nonce.text },
  });
  expect([upload.status, JSON.parse(upload.text).code]).toEqual([400, "rest_upload_image_type_not_supported"]);
});
