import type { Core, Cores } from "./CoreStore.ts";
import { isOlder, isSameMinor } from "./version.ts";

/** WordPress versions as images in a registry, whose tag is the version. The operator's setting names the current one. */
export class ImageCores implements Cores {
  private readonly image: string;
  private readonly version: string;

  constructor(image: string, version: string) {
    this.image = image;
    this.version = version;
  }

  async current(): Promise<Core> {
    return this.open(this.version);
  }

  open(version: string): Core {
    return { version, folder: `${this.image}:${version}` };
  }

  async latestOf(version: string): Promise<string> {
    return isSameMinor(version, this.version) && isOlder(version, this.version) ? this.version : version;
  }

  has(): boolean {
    return true; // images of older versions stay in the registry
  }

  update(): Promise<Core> {
    return this.current();
  }

  async keepOnly() {}

  stop() {}
}
