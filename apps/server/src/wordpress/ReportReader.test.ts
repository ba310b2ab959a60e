import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { ReportReader } from "./ReportReader.ts";
import { siteFolder } from "./siteFolder.ts";

function open() {
  const dataDir = mkdtempSync(join(tmpdir(), "nido-report-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const folder = siteFolder(dataDir, "site");
  for (const path of [folder.state, folder.mail]) mkdirSync(path, { recursive: true });
  writeFileSync(folder.pages, "1");
  writeFileSync(folder.nextCron, "100");
  const reader = new ReportReader();
  return { folder, read: () => reader.read(folder) };
}

test("every change is seen, however soon after the last one, and although the site sets its files' times", async () => {
  const { folder, read } = open();
  await sleep(1100); // from now on, only the times of the files are looked at
  expect(await read()).toEqual(await read());
  const long = new Date("2020-01-01");
  for (let second = 1; second <= 200; second++) {
    writeFileSync(folder.nextCron, String(second));
    utimesSync(folder.nextCron, long, long);
    expect((await read()).nextCron).toBe(second);
  }
  const { pages } = await read();
  writeFileSync(folder.pages, "2");
  expect((await read()).pages).not.toBe(pages);
  writeFileSync(join(folder.mail, "message"), "");
  expect(await read()).toMatchObject({ hasMail: true });
  rmSync(join(folder.mail, "message"));
  expect(await read()).toMatchObject({ hasMail: false });
});

test("a site that is replaced, or whose files are missing or not files, is read again", async () => {
  const { folder, read } = open();
  await sleep(1100);
  expect(await read()).toMatchObject({ nextCron: 100 });
  renameSync(folder.state, `${folder.state}.old`);
  expect(await read()).toEqual({ pages: "first", nextCron: undefined, hasMail: false });
  renameSync(`${folder.state}.old`, folder.state);
  expect(await read()).toMatchObject({ nextCron: 100 });
  rmSync(folder.state, { recursive: true });
  writeFileSync(folder.state, "");
  const [first, second] = [await read(), await read()];
  expect(first.pages).not.toBe(second.pages);
});
