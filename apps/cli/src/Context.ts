import type { ToolProject } from "@nido/contract";
import { ApiError, Client } from "./Client.ts";
import { exitCodes, Failure } from "./Failure.ts";
import type { Options } from "./options.ts";
import { findLogin, findSettings, homeServer, onlyServer, type ProjectSettings, settingsFile } from "./settings.ts";
import type { Terminal } from "./Terminal.ts";
import type { Texts } from "./texts.ts";

/** What every command works with. */
export class Context {
  readonly t: Texts;
  readonly terminal: Terminal;
  readonly options: Options;
  private client: Client | undefined;

  constructor(t: Texts, terminal: Terminal, options: Options) {
    this.t = t;
    this.terminal = terminal;
    this.options = options;
  }

  get server(): URL {
    const text = this.options.server || process.env["NIDO_SERVER"] || homeServer() || onlyServer();
    if (!text) throw new Failure(this.t.server, exitCodes.usage);
    if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
      throw new Failure(this.t.serverInvalid(text), exitCodes.usage);
    return new URL(text);
  }

  /** With the token that was given, or that of the login. */
  signedIn(): Client {
    const { server } = this;
    const token = this.givenToken ?? findLogin(server)?.token;
    if (!token) throw new Failure(this.t.signedOut, exitCodes.signedOut);
    if (!/^[\x21-\x7e]+$/.test(token)) throw new Failure(this.t.tokenInvalid, exitCodes.signedOut);
    this.client ??= new Client(server, token);
    return this.client;
  }

  /** As an option or in the environment: it counts more than a login. */
  get givenToken(): string | undefined {
    return (this.options.token || process.env["NIDO_TOKEN"])?.trim() || undefined;
  }

  close() {
    this.client?.close();
  }

  settings(): { settings: Partial<ProjectSettings>; folder: string } {
    try {
      return findSettings(process.cwd()) ?? { settings: {}, folder: process.cwd() };
    } catch {
      throw new Failure(this.t.settingsBroken(settingsFile));
    }
  }

  /** The project that a command is about. */
  projectName(): string {
    const name = this.options.project ?? this.settings().settings.project;
    if (!name) throw new Failure(this.t.promptNeeded("--project"), exitCodes.promptNeeded);
    return name;
  }

  project(): Promise<ToolProject> {
    return this.signedIn().call("GET", `/projects/${encodeURIComponent(this.projectName())}`);
  }
}

/** What the user is told of any failure, and how the program ends. */
export function describe(error: unknown, t: Texts, hasGivenToken = false): { text: string; exitCode: number } {
  if (error instanceof Failure) return { text: error.message, exitCode: error.exitCode };
  if (!(error instanceof ApiError)) {
    const { message, stack, code } = error as NodeJS.ErrnoException;
    // The system's own words, for what the system refused.
    return { text: code ? message : (stack ?? message), exitCode: exitCodes.failed };
  }
  const codes: Record<string, number> = {
    error_signed_out: exitCodes.signedOut,
    error_disk_full: exitCodes.planLimit,
    error_files_too_many: exitCodes.planLimit,
  };
  const signedOut = hasGivenToken ? t.tokenInvalid : t.signedOut;
  const text = error.key === "error_signed_out" ? signedOut : t.errors[error.key];
  const detail = error.detail === undefined ? "" : ` (${error.detail})`;
  return { text: text + detail, exitCode: codes[error.key] ?? exitCodes.failed };
}
