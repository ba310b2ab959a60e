import { origin, password, type TestApp } from "./app.ts";

interface Request {
  method: "GET" | "POST" | "DELETE";
  url: string;
  payload?: object | string;
}

/** A browser that calls the API of `startApp`: it keeps its cookies. */
export class TestVisitor {
  private readonly cookies = new Map<string, string>();
  private readonly server: TestApp;
  private readonly address: string;
  userAgent = "";

  constructor(server: TestApp, address = "192.0.2.1") {
    this.server = server;
    this.address = address;
  }

  async post(url: string, body: object = {}) {
    return this.inject({ method: "POST", url, payload: body });
  }

  async get(url: string) {
    return this.inject({ method: "GET", url });
  }

  async delete(url: string) {
    return this.inject({ method: "DELETE", url });
  }

  async signIn(username = "ana@example.com", secret = password) {
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const payload = new URLSearchParams({ username, password: secret }).toString();
    return this.inject({ method: "POST", url: "/auth/simple", payload }, form);
  }

  /** Whether the browser is signed in, as its next request finds. */
  async isSignedIn(): Promise<boolean> {
    return (await this.get("/redux")).statusCode === 200;
  }

  /** The headers of its next request. */
  browserHeaders(): Record<string, string> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const agent = this.userAgent && { "user-agent": this.userAgent };
    return { host: new URL(origin).host, origin, ...agent, ...(cookie && { cookie }) };
  }

  private async inject(request: Request, more: Record<string, string> = {}) {
    const headers = { ...this.browserHeaders(), ...more };
    const response = await this.server.app.inject({ ...request, headers, remoteAddress: this.address });
    for (const { name, value } of response.cookies) {
      if (value) this.cookies.set(name, value);
      else this.cookies.delete(name);
    }
    return response;
  }
}
