/** How the program ends; scripts rely on them. */
export const exitCodes = { failed: 1, usage: 2, signedOut: 3, promptNeeded: 4, planLimit: 5 } as const;

/** Something that the user is told, and how the program then ends. */
export class Failure extends Error {
  override name = "Failure";
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}
