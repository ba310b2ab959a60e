// Types for the parts of php-wasm that we use. Its own declarations import without file extensions, which `nodenext` cannot resolve.

declare module "@php-wasm/universal" {
  interface FileSystem {
    filesystems: Record<string, object>;
    ErrnoError: new (code: number) => Error;
    mount(type: object, options: { root: string; access: unknown }, point: string): unknown;
    unmount(point: string): void;
  }
  export type MountHandler = (php: PHP, fs: FileSystem, point: string) => () => void;

  interface RunOptions {
    scriptPath: string;
    relativeUri: string;
    method: string;
    headers: Record<string, string>;
    body?: Uint8Array;
    protocol: string;
    $_SERVER: Record<string, string>;
  }
  interface StreamedResponse {
    httpStatusCode: Promise<number>;
    headers: Promise<Record<string, string[]>>;
    stdout: AsyncIterable<Int8Array>;
    stderrText: Promise<string>;
    exitCode: Promise<number>;
  }
  export class PHP {
    constructor(runtime: number);
    setSapiName(name: string): Promise<void>;
    mkdir(path: string): void;
    mount(path: string, handler: MountHandler): Promise<() => void>;
    writeFile(path: string, data: Uint8Array): void;
    runStream(options: RunOptions): Promise<StreamedResponse>;
  }
  export function setPhpIniEntries(php: PHP, entries: Record<string, string>): Promise<void>;
}

declare module "@php-wasm/node" {
  interface Options {
    emscriptenOptions: { processId: number; thisProgram: string };
  }
  export function loadNodeRuntime(version: string, options: Options): Promise<number>;
}
