import type { CliLogin, DeviceLogin } from "@nido/contract";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { requireSession } from "../auth/requireSession.ts";
import type { Sessions } from "../auth/sessions.ts";
import type { Db } from "../db/connect.ts";
import {
  createDeviceGrant,
  createLoopbackGrant,
  decideDeviceGrant,
  deviceSeconds,
  findDeviceGrant,
  redeemDeviceGrant,
  redeemLoopbackGrant,
} from "./grants.ts";

const machine = z
  .string()
  .trim()
  .min(1)
  .max(80)
  .regex(/^\P{Cc}+$/u);
const secret = z.string().regex(/^[\w-]{43,128}$/);
const userCodeParams = z.object({
  code: z
    .string()
    .toUpperCase()
    .regex(/^[B-Z]{4}-[B-Z]{4}$/)
    .catch("none"),
});
const pollSeconds = 2;

/** Logging the CLI in: the customer authorizes it in a browser. */
export function cliLoginRoutes(scope: FastifyInstance, db: Db, sessions: Sessions, appUrl: URL) {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const preValidation = requireSession(sessions);
  const config = { rateLimit: "cliLogin" } as const;
  const polled = { rateLimit: "cliLoginPoll" } as const;
  const bodyOf = <Shape extends z.ZodRawShape>(shape: Shape) => ({ body: z.strictObject(shape) });

  app.post(
    "/api/cli/grants",
    { schema: bodyOf({ challenge: secret, machine }), preValidation, config },
    async ({ session, body }) => ({ code: await createLoopbackGrant(db, session, body) }),
  );
  app.post("/api/cli/token", { schema: bodyOf({ code: secret, verifier: secret }), config }, async ({ body }) => {
    const answer: CliLogin = { token: await redeemLoopbackGrant(db, body.code, body.verifier) };
    return answer;
  });

  app.post("/api/cli/device", { schema: bodyOf({ machine }), config }, async ({ body }) => {
    const { deviceCode, userCode } = await createDeviceGrant(db, body.machine);
    const page = new URL(`/clilogin?code=${userCode}`, appUrl).href;
    const answer: DeviceLogin = {
      device_code: deviceCode,
      user_code: userCode,
      url: page,
      interval: pollSeconds,
      expires_in: deviceSeconds,
    };
    return answer;
  });
  app.post("/api/cli/device/token", { schema: bodyOf({ device_code: secret }), config: polled }, async ({ body }) => {
    const answer: CliLogin = { token: await redeemDeviceGrant(db, body.device_code) };
    return answer;
  });
  app.get(
    "/api/cli/device/:code",
    { schema: { params: userCodeParams }, preValidation, config },
    async ({ params }) => ({
      machine: await findDeviceGrant(db, params.code),
    }),
  );
  app.post(
    "/api/cli/device/:code",
    { schema: { params: userCodeParams, ...bodyOf({ allow: z.boolean() }) }, preValidation, config },
    async ({ session, params, body }) => {
      await decideDeviceGrant(db, session, params.code, body.allow);
      return { ok: true };
    },
  );
}
