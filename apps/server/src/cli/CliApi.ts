import type { Deploys } from "../deploys/Deploys.ts";
import type { PlanSlots } from "../deploys/plan/PlanSlots.ts";
import type { RateLimiter } from "../http/RateLimiter.ts";
import type { CustomerStates } from "../state/CustomerStates.ts";
import type { SiteApi } from "../wordpress/SiteApi.ts";

/** The dependencies of the CLI's routes. */
export interface CliApi {
  deploys: Deploys;
  states: CustomerStates;
  siteApi: SiteApi;
  limiter: RateLimiter;
  /** shared by the CLI and the dashboard */
  slots: PlanSlots;
  /** Drops this process's caches of a customer after a change. */
  forget(userId: string): void;
}
