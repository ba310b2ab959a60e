import { chmodSync, chownSync, lstatSync, mkdirSync } from "node:fs";
import { join } from "node:path";

const sticky = 0o1000;

/**
 * Creates the folders in DATA_DIR that root works in. The web process can create folders beside them. Because of the
 * sticky bit it cannot replace these folders: otherwise it could lead root anywhere by a symbolic link.
 */
export function ownFolders(dataDir: string, webGroup: number) {
  chownSync(dataDir, 0, webGroup);
  chmodSync(dataDir, sticky | 0o771);
  const folder = (name: string, mode: number) => {
    const path = join(dataDir, name);
    mkdirSync(path, { recursive: true });
    const stats = lstatSync(path);
    if (!stats.isDirectory() || stats.uid !== 0)
      throw new Error(`${path} must be a folder that belongs to root. Check who created it, and move it away.`);
    chmodSync(path, mode);
    return path;
  };
  // The web process has its sockets there, which sites may connect to.
  const loopback = folder("loopback", 0o775);
  chownSync(loopback, 0, webGroup);
  return { sites: folder("sites", 0o755), images: folder("images", 0o700), snapshots: folder("snapshots", 0o755) };
}
