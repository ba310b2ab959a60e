// Passes connections at a port on to a socket: forwardPort.mjs PORT SOCKET
import { connect, createServer } from "node:net";

const [, , port, path] = process.argv;
createServer((from) => {
  const to = connect(path);
  from.on("error", () => to.destroy()).pipe(to);
  to.on("error", () => from.destroy()).pipe(from);
}).listen(Number(port), "127.0.0.1");
