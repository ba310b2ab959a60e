import { once } from "node:events";
import { connect } from "node:net";
import { parseConfig } from "@nido/server/config/parseConfig";
import { startSftp } from "@nido/server/processes/startSftp";
import { encryptionKey } from "./app.ts";
import type { WhenDone } from "./database.ts";
import type { Sites } from "./sites.ts";
import { eventually } from "./waitUntil.ts";

/** Starts the SFTP process of a product with `SFTP_PORT`, which runs inside the test's process. */
export async function openSftp(whenDone: WhenDone, { server, folder }: Sites, env: Record<string, string>) {
  const config = parseConfig({ LOG_LEVEL: "fatal", ENCRYPTION_KEY: encryptionKey, DATA_DIR: folder, ...env });
  whenDone(startSftp(config, server.databaseUrl, server.app.log));
  await eventually(async () => {
    const socket = connect(config.SFTP_PORT as number, "127.0.0.1");
    await once(socket, "data").finally(() => socket.destroy());
  });
}
