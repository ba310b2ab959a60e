import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import type { CliLogin, DeviceLogin } from "@nido/contract";
import { ApiError } from "../ApiError.ts";
import { Client } from "../Client.ts";
import type { Context } from "../Context.ts";

/** Device flow, for a machine without a browser: the user confirms a code in a browser on another machine. */
export async function loginByDeviceCode({ server, t, terminal }: Context) {
  const client = new Client(server);
  const device = await client.call<DeviceLogin>("POST", "/device", { machine: hostname() });
  terminal.say(t.deviceCode(device.user_code, device.url));
  terminal.say(t.waiting);
  try {
    for (;;) {
      await pause(device.interval * 1000);
      const login = await client
        .callOnce<CliLogin>("POST", "/device/token", { device_code: device.device_code })
        .catch((error) => {
          const isTransient =
            error instanceof ApiError && /^error_(code_pending|network|too_many_requests)$/.test(error.key);
          if (!isTransient) throw error;
        });
      if (login) return login.token;
    }
  } finally {
    client.close();
  }
}
