/** The exit codes are documented in the help text, and scripts rely on them. */
export const exitCodes = { failed: 1, usage: 2, signedOut: 3, promptNeeded: 4, planLimit: 5 } as const;

/** An expected error: its message is shown to the user as it is. */
export class Failure extends Error {
  override name = "Failure";
  readonly exitCode: number;
  /** more about it, in JSON */
  readonly data: object;

  constructor(message: string, exitCode: number = exitCodes.failed, data = {}) {
    super(message);
    this.data = data;
    this.exitCode = exitCode;
  }
}
