import type { MountHandler } from "@php-wasm/universal";
import { folderSizeSync, minFileBytes } from "../../platform/folderSize.ts";

/** The parts of emscripten's file system that are used here. */
interface FileNode {
  mount: { opts: { root: string; access?: Access } };
}
interface FileStream {
  node: FileNode;
  flags: number;
}
interface NodeFs {
  node_ops: Record<string, (...args: never[]) => unknown>;
  stream_ops: Record<string, (...args: never[]) => unknown>;
  isGuarded?: boolean;
}

/** How PHP may use a host folder: read only, or write within a quota. */
export type Access = "read" | DiskQuota;

/** A disk quota. It counts written bytes, and measures the folder only when the count reaches the limit. */
export class DiskQuota {
  private left = 0;
  private readonly folder: string;
  private readonly limit: number;

  constructor(folder: string, limit: number) {
    this.folder = folder;
    this.limit = limit;
  }

  take(bytes: number): boolean {
    this.left -= bytes;
    if (this.left < 0) this.left = this.limit - folderSizeSync(this.folder) - bytes;
    return this.left >= 0;
  }
}

/** Mounts a host folder into PHP's virtual file system. */
export function mountFolder(root: string, access: Access): MountHandler {
  return (_php, fs, point) => {
    const nodeFs = fs.filesystems["NODEFS"] as NodeFs;
    guard(nodeFs, fs.ErrnoError);
    fs.mount(nodeFs, { root, access }, point);
    return () => fs.unmount(point);
  };
}

// Emscripten's errno values.
const notPermitted = 63;
const readOnly = 69;
const noSpace = 51;
const anyWriting = 0o1 | 0o2 | 0o100 | 0o1000 | 0o2000;

/** Checks every file system operation against the access of its mount. */
function guard(nodeFs: NodeFs, Refusal: new (code: number) => Error) {
  if (nodeFs.isGuarded) return;
  nodeFs.isGuarded = true;
  const { node_ops: nodeOps, stream_ops: streamOps } = nodeFs;
  const refuseUnlessWritable = (node: FileNode) => {
    if (!(node.mount.opts.access instanceof DiskQuota)) throw new Refusal(readOnly);
  };
  const create = nodeOps["mknod"] as (parent: FileNode, ...rest: unknown[]) => unknown;
  nodeOps["mknod"] = (parent: FileNode, ...rest: unknown[]) => {
    const { access } = parent.mount.opts;
    // Each file and folder counts, even an empty one.
    if (access instanceof DiskQuota && !access.take(minFileBytes)) throw new Refusal(noSpace);
    return create(parent, ...rest);
  };
  for (const name of ["setattr", "mknod", "rename", "unlink", "rmdir"] as const) {
    const operate = nodeOps[name] as (node: FileNode, ...rest: unknown[]) => unknown;
    nodeOps[name] = (node: FileNode, ...rest: unknown[]) => {
      refuseUnlessWritable(node);
      return operate(node, ...rest);
    };
  }
  // Programs outside PHP would follow a symbolic link anywhere.
  nodeOps["symlink"] = () => {
    throw new Refusal(notPermitted);
  };
  const open = streamOps["open"] as (stream: FileStream) => void;
  streamOps["open"] = (stream: FileStream) => {
    if (stream.flags & anyWriting) refuseUnlessWritable(stream.node);
    return open(stream);
  };
  const write = streamOps["write"] as (stream: FileStream, buffer: unknown, offset: number, length: number) => number;
  streamOps["write"] = (stream: FileStream, buffer: unknown, offset: number, length: number, ...rest: unknown[]) => {
    const { access } = stream.node.mount.opts;
    if (!(access instanceof DiskQuota)) throw new Refusal(readOnly);
    if (!access.take(length)) throw new Refusal(noSpace);
    return write(stream, buffer, offset, length, ...(rest as []));
  };
  const change = streamOps["setattr"] as (stream: FileStream, ...rest: unknown[]) => unknown;
  streamOps["setattr"] = (stream: FileStream, ...rest: unknown[]) => {
    refuseUnlessWritable(stream.node);
    return change(stream, ...rest);
  };
}
