import type { Deploys } from "../deploys/Deploys.ts";
import type { PlanSlots } from "../deploys/plan/PlanSlots.ts";
import type { RateLimiter } from "../http/RateLimiter.ts";
import type { CustomerStates } from "../state/CustomerStates.ts";
import type { RequestLog } from "../traffic/RequestLog.ts";
import type { SiteApi } from "../wordpress/SiteApi.ts";

/** What publishing needs, from the CLI and from the dashboard. */
export interface PublishApi {
  deploys: Deploys;
  limiter: RateLimiter;
  /** shared by the CLI and the dashboard */
  slots: PlanSlots;
  /** Drops this process's caches of a customer after a change. */
  forget(userId: string): void;
}

/** The dependencies of the CLI's routes. */
export interface CliApi extends PublishApi {
  states: CustomerStates;
  siteApi: SiteApi;
  /** the CLI that this server hands out */
  findPackage(): Promise<{ version: string }>;
  /** undefined: the operator keeps no statistics */
  requests: RequestLog | undefined;
}
