/** How long a page takes to ask for all that it is made of. */
const pageLoad = 30_000;
const mostVisitors = 50_000;

/**
 * Which release each visitor's page came from. What the page then asks for comes from the same one, though another
 * may have been published meanwhile.
 */
export class Pins {
  private readonly pins = new Map<string, { version: string; at: number }>();

  note(visitor: string, version: string) {
    const pin = this.pins.get(visitor);
    if (pin && pin.version === version && Date.now() - pin.at < 1000) return;
    this.pins.delete(visitor);
    this.pins.set(visitor, { version, at: Date.now() });
    if (this.pins.size > mostVisitors) this.pins.delete(this.pins.keys().next().value as string);
  }

  find(visitor: string): string | undefined {
    const pin = this.pins.get(visitor);
    return pin && Date.now() - pin.at < pageLoad ? pin.version : undefined;
  }
}
