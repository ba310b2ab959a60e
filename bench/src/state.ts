import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { compare } from "./compare.ts";
import { startProgram } from "./startProgram.ts";

const root = resolve(import.meta.dirname, "../..");
const [port, sandboxPort, barePort] = [3900, 3901, 3902];

export async function benchState() {
  const folder = mkdtempSync(join(tmpdir(), "nido-bench-"));
  chmodSync(folder, 0o711);
  const data = join(folder, "data");
  const env = { PORT: String(port), SANDBOX_PORT: String(sandboxPort), DATA_DIR: data };
  const nido = await startProgram(join(root, "scripts/start.ts"), env, "Ctrl-C stops it.");
  const databaseUrl = `postgres://nido@/nido?host=${encodeURIComponent(join(data, "run"))}`;
  const bare = await startProgram(
    join(import.meta.dirname, "bareServer.ts"),
    { PORT: String(barePort), DATABASE_URL: databaseUrl },
    "listening",
  );
  try {
    const origin = `http://localhost:${port}`;
    const headers = { cookie: await signIn(origin) };
    await compare(
      { name: "GET /redux", url: `${origin}/redux`, headers },
      { name: "bare select", url: `http://localhost:${barePort}/`, headers },
    );
  } finally {
    await bare.stop();
    await nido.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function signIn(origin: string): Promise<string> {
  const body = new URLSearchParams({ username: "demo@nido.example", password: "Demo1234" });
  const response = await fetch(`${origin}/auth/simple`, { method: "POST", body });
  const cookie = response.headers.getSetCookie()[0]?.split(";")[0];
  if (!response.ok || !cookie) throw new Error("the demo customer could not sign in");
  return cookie;
}
