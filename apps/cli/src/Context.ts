import type { CliProject } from "@nido/contract";
import { Client, hasProxy } from "./Client.ts";
import { exitCodes, Failure } from "./Failure.ts";
import { findLogin, onlyServer } from "./logins.ts";
import type { Options } from "./options.ts";
import { packageServer } from "./packageServer.ts";
import { findSettings, InvalidSetting, type ProjectSettings, settingsFile } from "./projectSettings.ts";
import { suggestUpdate } from "./suggestUpdate.ts";
import type { Terminal } from "./Terminal.ts";
import type { Texts } from "./texts.ts";

/** The options, texts, terminal and API client that every command uses. */
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
    const text = this.options.server || process.env["NIDO_SERVER"] || packageServer() || onlyServer();
    if (!text) throw new Failure(this.t.server, exitCodes.usage);
    if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
      throw new Failure(this.t.serverInvalid(text), exitCodes.usage);
    return new URL(text);
  }

  get isSignedIn(): boolean {
    return (this.explicitToken ?? findLogin(this.server)?.token) !== undefined;
  }

  /** The API client, with the explicit token or else the one of the saved login. */
  signedIn(): Client {
    const { server } = this;
    const token = this.explicitToken ?? findLogin(server)?.token;
    if (!token) throw new Failure(this.t.signedOut, exitCodes.signedOut);
    if (!/^[\x21-\x7e]+$/.test(token)) throw new Failure(this.t.tokenInvalid, exitCodes.signedOut);
    if (!this.client && hasProxy() && !knowsProxies()) this.terminal.warn(this.t.proxyIgnored);
    this.client ??= new Client(server, token, {
      onSilence: () => this.terminal.say(this.t.serverSilent),
      onRetry: (attempt, maxAttempts) => this.terminal.say(this.t.retrying(attempt, maxAttempts)),
    });
    return this.client;
  }

  /** The token of `--token` or NIDO_TOKEN, which takes precedence over a saved login. */
  get explicitToken(): string | undefined {
    return (this.options.token || process.env["NIDO_TOKEN"])?.trim() || undefined;
  }

  /** `own` is the version of this copy. */
  close(own: string) {
    this.client?.close();
    if (this.client && packageServer() === this.client.server.origin)
      suggestUpdate(this.terminal, this.t, this.client, own);
  }

  settings(): { settings: Partial<ProjectSettings>; folder: string } {
    try {
      return findSettings(process.cwd()) ?? { settings: {}, folder: process.cwd() };
    } catch (error) {
      if (error instanceof InvalidSetting) throw new Failure(this.t.settingInvalid(settingsFile, error.message));
      throw new Failure(this.t.settingsBroken(settingsFile));
    }
  }

  get hasProject(): boolean {
    return Boolean(this.options.project ?? this.settings().settings.project);
  }

  /** The project of `--project`, or else of nido.json. */
  projectName(): string {
    const name = this.options.project ?? this.settings().settings.project;
    if (!name) throw new Failure(this.t.promptNeeded("--project"), exitCodes.promptNeeded);
    return name;
  }

  project(): Promise<CliProject> {
    return this.signedIn().call("GET", `/projects/${encodeURIComponent(this.projectName())}`);
  }
}

/** Since Node 24.5. */
function knowsProxies(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  return major > 24 || (major === 24 && minor >= 5);
}
