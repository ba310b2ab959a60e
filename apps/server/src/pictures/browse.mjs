// Runs in the sandbox of a picture: browse.mjs SOCKET FILE CHROMIUM FLAGS… Chromium needs a port for its proxy, but ours
// is a socket. Starts Chromium once the port listens, and writes its screenshot to standard output.
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";

const [, , socketPath, file, program, ...flags] = process.argv;
// If the machine runs out of memory, the kernel ends this first.
writeFileSync("/proc/self/oom_score_adj", "1000");
const server = createServer((from) => {
  const to = connect(socketPath);
  from.on("error", () => to.destroy()).pipe(to);
  to.on("error", () => from.destroy()).pipe(from);
});
server.listen(3128, "127.0.0.1", () => {
  const browser = spawn("nice", [program, ...flags], { stdio: "ignore" });
  browser.on("exit", (code) => {
    if (code !== 0) process.exit(1);
    process.stdout.write(readFileSync(file), () => process.exit(0));
  });
});
