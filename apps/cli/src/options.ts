/** The options of all commands. */
export interface Options {
  project?: string;
  dir?: string;
  message?: string;
  branch?: string;
  dryRun?: boolean;
  build?: boolean;
  strict?: boolean;
  readOnly?: boolean;
  parts?: string;
  user?: string;
  sftp?: string;
  tables?: string;
  days?: string;
  staging?: boolean;
  device?: boolean;
  port?: string;
  follow?: boolean;
  www?: boolean;
  json?: boolean;
  yes?: boolean;
  token?: string;
  server?: string;
  noColor?: boolean;
  help?: boolean;
  version?: boolean;
}

interface OptionKind {
  short?: string;
  /** what the value is called in the help text; absent for an option without a value */
  value?: "name" | "folder" | "text" | "token" | "address" | "number" | "parts" | "account";
}

export const optionKinds: Record<keyof Options, OptionKind> = {
  project: { value: "name" },
  dir: { value: "folder" },
  message: { short: "m", value: "text" },
  branch: { value: "name" },
  dryRun: {},
  build: {},
  strict: {},
  readOnly: {},
  parts: { value: "parts" },
  user: { value: "name" },
  sftp: { value: "account" },
  tables: { value: "text" },
  days: { value: "number" },
  staging: {},
  device: {},
  port: { value: "number" },
  follow: { short: "f" },
  www: {},
  json: {},
  yes: { short: "y" },
  token: { value: "token" },
  server: { value: "address" },
  noColor: {},
  help: { short: "h" },
  version: { short: "v" },
};

/** The options that every command accepts. */
export const generalOptions: (keyof Options)[] = [
  "project",
  "json",
  "yes",
  "token",
  "server",
  "noColor",
  "help",
  "version",
];

/** The flag of an option without its dashes: `dry-run` for `dryRun`. */
export function flagOf(option: string): string {
  return option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
