import type { SsoToken } from "@nido/contract";
import { api } from "../api/api.ts";
import { serverPaths } from "../paths.ts";

export function loadSsoToken(projectId: string): Promise<SsoToken> {
  return api<SsoToken>(serverPaths.sso(projectId));
}
