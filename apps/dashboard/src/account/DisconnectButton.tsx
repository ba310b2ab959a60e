import { useState } from "react";
import { useTranslation } from "react-i18next";
import { remote } from "../state/store.ts";
import { Button } from "../ui/Button.tsx";
import { signOut } from "./signOut.ts";

export function DisconnectButton() {
  const { t } = useTranslation();
  const [state, setState] = useState<"ready" | "busy" | "failed">("ready");

  async function disconnect() {
    setState("busy");
    // Otherwise the end of the session would be reported as if it had come from elsewhere.
    remote.stop();
    if (await signOut()) return location.reload();
    setState("failed");
    void remote.start().catch(() => undefined);
  }

  return (
    <div className="flex flex-wrap items-center gap-3">
      {state === "failed" && (
        <span role="alert" className="text-small text-red">
          {t("errors.error_network")}
        </span>
      )}
      <Button size="small" look="danger" busy={state === "busy"} onClick={disconnect}>
        {t("settings.disconnect")}
      </Button>
    </div>
  );
}
