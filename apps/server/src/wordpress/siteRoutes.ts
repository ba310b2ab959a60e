import type { FastifyInstance } from "fastify";
import { backupRoutes } from "./backupRoutes.ts";
import { careRoutes } from "./careRoutes.ts";
import { commandRoutes } from "./commands/commandRoutes.ts";
import { mailRoutes } from "./mailRoutes.ts";
import { moveInRoutes } from "./moveIn/moveInRoutes.ts";
import { rulesRoutes } from "./rulesRoutes.ts";
import type { SiteApi } from "./SiteApi.ts";
import { stagingRoutes } from "./stagingRoutes.ts";
import { updateRoutes } from "./updateRoutes.ts";

/** What an owner does with a WordPress site, for the dashboard and for the command-line tool. */
export function siteRoutes(app: FastifyInstance, prefix: string, api: SiteApi) {
  careRoutes(app, prefix, api);
  backupRoutes(app, prefix, api);
  stagingRoutes(app, prefix, api);
  updateRoutes(app, prefix, api);
  mailRoutes(app, prefix, api);
  moveInRoutes(app, prefix, api);
  commandRoutes(app, prefix, api);
  rulesRoutes(app, prefix, api);
}
