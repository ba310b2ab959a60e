import { finished, PassThrough, type Readable } from "node:stream";
import { ZipFile } from "yazl";

/** One file of an archive; its content is opened when its turn comes. */
export interface Part {
  path: string;
  /** The content is compressed already. */
  isCompressed?: boolean;
  open(): Promise<Readable>;
}

/** A zip of these files. A file that cannot be read to its end breaks the zip. `onPart` is called before each. */
export function zipOf(parts: Part[], onPart: (index: number) => Promise<void> = async () => undefined): Readable {
  const zip = new ZipFile();
  const output = new PassThrough();
  const fail = (error: Error) => void output.destroy(error);
  let current: Readable | undefined;

  async function open(index: number, part: Part): Promise<Readable> {
    await onPart(index);
    current = await part.open();
    finished(current, { writable: false }, (error) => error && fail(error));
    if (output.destroyed) current.destroy();
    return current;
  }

  for (const [index, part] of parts.entries())
    zip.addReadStreamLazy(part.path, { compress: !part.isCompressed }, (deliver) => {
      if (!output.destroyed) open(index, part).then((stream) => deliver(null, stream), fail);
    });
  zip.on("error", fail);
  zip.end();
  output.once("close", () => current?.destroy());
  return zip.outputStream.pipe(output);
}
