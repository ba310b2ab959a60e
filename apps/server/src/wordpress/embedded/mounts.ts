import type { MountHandler } from "@php-wasm/universal";
import { measureFolderNow } from "../../platform/folderSize.ts";

/** Of emscripten's file system, what is used here. */
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

/** What PHP may do with a folder of this machine: nothing but read it, or write while there is room. */
export type Access = "read" | Room;

/** How much a site may still write. Counts what is written, and looks at the disk when that seems to be too much. */
export class Room {
  private left = 0;
  private readonly folder: string;
  private readonly limit: number;

  constructor(folder: string, limit: number) {
    this.folder = folder;
    this.limit = limit;
  }

  take(bytes: number): boolean {
    this.left -= bytes;
    if (this.left < 0) this.left = this.limit - measureFolderNow(this.folder) - bytes;
    return this.left >= 0;
  }
}

/** Puts a folder of this machine where PHP sees it. */
export function mountFolder(root: string, access: Access): MountHandler {
  return (_php, fs, point) => {
    const nodeFs = fs.filesystems["NODEFS"] as NodeFs;
    guard(nodeFs, fs.ErrnoError);
    fs.mount(nodeFs, { root, access }, point);
    return () => fs.unmount(point);
  };
}

// As emscripten numbers them.
const notPermitted = 63;
const readOnly = 69;
const noSpace = 51;
const anyWriting = 0o1 | 0o2 | 0o100 | 0o1000 | 0o2000;

/** Holds every operation of a PHP's file system against the access that its mount was given. */
function guard(nodeFs: NodeFs, Refusal: new (code: number) => Error) {
  if (nodeFs.isGuarded) return;
  nodeFs.isGuarded = true;
  const { node_ops: nodeOps, stream_ops: streamOps } = nodeFs;
  const refuseUnlessWritable = (node: FileNode) => {
    if (!(node.mount.opts.access instanceof Room)) throw new Refusal(readOnly);
  };
  for (const name of ["setattr", "mknod", "rename", "unlink", "rmdir"] as const) {
    const operate = nodeOps[name] as (node: FileNode, ...rest: unknown[]) => unknown;
    nodeOps[name] = (node: FileNode, ...rest: unknown[]) => {
      refuseUnlessWritable(node);
      return operate(node, ...rest);
    };
  }
  // A link could lead a program outside PHP anywhere.
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
    if (!(access instanceof Room)) throw new Refusal(readOnly);
    if (!access.take(length)) throw new Refusal(noSpace);
    return write(stream, buffer, offset, length, ...(rest as []));
  };
  const change = streamOps["setattr"] as (stream: FileStream, ...rest: unknown[]) => unknown;
  streamOps["setattr"] = (stream: FileStream, ...rest: unknown[]) => {
    refuseUnlessWritable(stream.node);
    return change(stream, ...rest);
  };
}
