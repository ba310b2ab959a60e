import { execFileSync } from "node:child_process";
import { startProgram } from "./startProgram.ts";

const python = "/usr/bin/python3";
const program = `
import asyncio, os, sys, asyncssh
class Server(asyncssh.SSHServer):
    def password_auth_supported(self): return True
    def validate_password(self, user, password): return (user, password) == (sys.argv[2], sys.argv[3])
class Files(asyncssh.SFTPServer):
    def __init__(self, channel): super().__init__(channel, chroot=sys.argv[1])
os.umask(0) # the site's PHP has another user, and may remove what is sent
async def main():
    key = asyncssh.generate_private_key('ssh-ed25519')
    server = await asyncssh.create_server(Server, '127.0.0.1', 0, server_host_keys=[key], sftp_factory=Files)
    print('port', server.sockets[0].getsockname()[1], flush=True)
    await asyncio.Event().wait()
asyncio.run(main())
`;

/** Why Python's SFTP server cannot run here; undefined where it can. */
export const whyNoSftpAccount = hasAsyncSsh() ? undefined : "python3-asyncssh is missing";

/** An SFTP account at another host, whose server is Python's asyncssh. */
export async function openSftpAccount(folder: string, user: string, password: string) {
  const server = startProgram(python, ["-W", "ignore", "-c", program, folder, user, password]);
  await server.waitForOutput(/^port \d+$/m);
  const port = Number(/^port (\d+)$/m.exec(server.output())?.[1]);
  return { account: { host: "127.0.0.1", port, user, password }, stop: () => server.stop() };
}

function hasAsyncSsh(): boolean {
  try {
    execFileSync(python, ["-W", "ignore", "-c", "import asyncssh"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
