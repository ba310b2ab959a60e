import { execFile, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startProgram } from "@nido/test-kit/startProgram";
import { expect, type Nido } from "./nido.ts";

const run = promisify(execFile);

/** A terminal in an empty folder of a new user, with the CLI installed from the server's package. */
export async function openTerminal(nido: Nido) {
  const folder = mkdtempSync(join(tmpdir(), "nido-terminal-"));
  const work = join(folder, "work");
  mkdirSync(work);
  await run("npm", ["install", "--no-audit", "--no-fund", "--prefix", folder, `${nido.origin}/cli/nido.tgz`]);
  const program = join(folder, "node_modules/.bin/nido");
  const env = { PATH: process.env["PATH"], HOME: folder, LANG: "es_ES.UTF-8" };
  return {
    work,
    ...createBrowser(folder),
    write: (files: Record<string, string>) => {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(join(work, path, ".."), { recursive: true });
        writeFileSync(join(work, path), text);
      }
    },
    /** Runs a command to its end. */
    nido: async (args: string[], more: Record<string, string> = {}, input = "") => {
      const options = { cwd: work, env: { ...env, ...more } };
      const running = run(program, args, options);
      running.child.stdin?.end(input);
      const { stdout, stderr, code } = await running.then(
        (result) => ({ ...result, code: 0 }),
        (error) => error,
      );
      return { stdout: String(stdout).trim(), stderr: String(stderr), code };
    },
    /** Starts a command that waits for the browser. */
    start: (args: string[], more: Record<string, string> = {}) => {
      const { child, output } = startProgram(program, args, { cwd: work, env: { ...env, ...more } });
      const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
      return { output, ended };
    },
    /** Runs a command in a pseudo-terminal, and types an answer to each question. */
    converse: async (
      command: string,
      answers: [question: string, answer: string][],
      onOutput: (text: string) => void = () => undefined,
    ) => {
      const child = spawn("script", ["-qefc", `exec ${program} ${command}`, "/dev/null"], { cwd: work, env });
      let output = "";
      child.stdout.on("data", (chunk) => {
        output += chunk;
        onOutput(String(chunk));
      });
      const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
      for (const [question, answer] of answers) {
        await expect.poll(() => output).toContain(question);
        output = "";
        child.stdin.write(answer);
      }
      return { code: await ended, output };
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A program for `BROWSER` that writes down the URL it is given. */
function createBrowser(folder: string) {
  const [browser, opened] = [join(folder, "browser"), join(folder, "opened")];
  // Renamed when it is complete: the test must not read half a URL.
  writeFileSync(browser, `#!/bin/sh\nprintf %s "$1" > "${opened}.part" && mv "${opened}.part" "${opened}"\n`);
  chmodSync(browser, 0o755);
  return {
    browser,
    /** the URL that was opened last, "" before the first */
    openedUrl: () => (existsSync(opened) ? readFileSync(opened, "utf8") : ""),
  };
}
