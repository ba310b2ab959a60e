import type { FastifyInstance } from "fastify";
import { browserAs } from "../auth/devices.ts";
import { requireSession } from "../auth/requireSession.ts";
import type { Sessions } from "../auth/sessions.ts";
import { refuseForeignOrigin } from "../http/refuseForeignOrigin.ts";
import type { PublishApi } from "./CliApi.ts";
import { deployRoutes } from "./deploys.ts";

interface Options extends PublishApi {
  sessions: Sessions;
  ownOrigin: string;
}

/** Publishing from the dashboard: the protocol of the command-line tool, with the browser's session. */
export async function publishRoutes(app: FastifyInstance, { sessions, ownOrigin, ...api }: Options) {
  // Before the body is read: it may be large.
  app.addHook("onRequest", refuseForeignOrigin(ownOrigin));
  app.addHook("onRequest", requireSession(sessions));
  app.addHook("onRequest", async (request) => {
    const { userId } = request.session;
    request.publisher = { userId, projectId: null, access: "publish", actor: browserAs(request.session) };
  });
  deployRoutes(app, "/api/publish", api);
}
