import type { SsoToken } from "@nido/contract";
import { api } from "../app/api.ts";
import { serverPaths } from "../app/paths.ts";

export function loadSsoToken(projectId: string): Promise<SsoToken> {
  return api<SsoToken>(serverPaths.sso(projectId));
}
