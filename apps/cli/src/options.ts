/** What can be given with a command. */
export interface Options {
  project?: string;
  dir?: string;
  message?: string;
  branch?: string;
  dryRun?: boolean;
  device?: boolean;
  json?: boolean;
  yes?: boolean;
  token?: string;
  server?: string;
  noColor?: boolean;
  help?: boolean;
  version?: boolean;
}

interface Kind {
  short?: string;
  /** what its value is, where it takes one */
  value?: "name" | "folder" | "text" | "token" | "address";
}

export const kinds: Record<keyof Options, Kind> = {
  project: { value: "name" },
  dir: { value: "folder" },
  message: { short: "m", value: "text" },
  branch: { value: "name" },
  dryRun: {},
  device: {},
  json: {},
  yes: { short: "y" },
  token: { value: "token" },
  server: { value: "address" },
  noColor: {},
  help: { short: "h" },
  version: { short: "v" },
};

/** With which every command may be given. */
export const general: (keyof Options)[] = ["project", "json", "yes", "token", "server", "noColor", "help", "version"];

export function flagOf(option: string): string {
  return option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
