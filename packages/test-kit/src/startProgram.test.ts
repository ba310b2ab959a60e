import { expect, onTestFinished, test } from "vitest";
import { startProgram } from "./startProgram.ts";

test("waits for a line, and stops the program", async () => {
  const program = startProgram(process.execPath, ["-e", "console.log('ready'); setInterval(() => {}, 1000)"]);
  onTestFinished(() => void program.child.kill("SIGKILL"));
  await program.waitForOutput(/ready/);
  await program.stop();
  expect(program.child.signalCode).toBe("SIGTERM");
  await program.stop(); // a second stop returns at once
});

test("fails at once when the program exits before the line", async () => {
  const program = startProgram(process.execPath, ["-e", "console.error('no such file'); process.exitCode = 2"]);
  await expect(program.waitForOutput(/ready/)).rejects.toThrow(/exited before it printed \/ready\/:\nno such file/);
});
