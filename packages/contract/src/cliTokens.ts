/** Names the version of the CLI that the server hands out. */
export const cliVersionHeader = "x-nido-cli-version";

/** A new token for the CLI. The server stores only its hash, so it is shown once. */
export interface CliLogin {
  token: string;
}

/** The start of a device flow: the customer confirms the login in a browser on any machine. */
export interface DeviceLogin {
  device_code: string;
  /** the code that the customer types */
  user_code: string;
  /** the page where it is typed; the address includes the code */
  url: string;
  /** seconds between two polls */
  interval: number;
  /** seconds until the code expires */
  expires_in: number;
}

export const tokenAccess = ["publish", "read"] as const;
export const tokenMaxDays = 365;

/** A token for machines such as CI, created by the customer under a name. */
export interface NamedToken {
  id: string;
  name: string;
  /** null: all projects */
  project: string | null;
  access: (typeof tokenAccess)[number];
  created_at: string;
  used_at: string | null;
  expires_at: string;
}
