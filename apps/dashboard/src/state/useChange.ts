import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "../api/api.ts";
import { announce } from "./announcement.ts";
import { keepFocus } from "./keepFocus.ts";
import { withProof } from "./proof.ts";

/** Runs changes one at a time, with a proof where it is needed. `busy` names the one that runs. */
export function useChange(onChanged: () => void = () => undefined) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState<string>();
  const [fault, setFault] = useState<string>();

  /** Undefined if it failed. With an empty `done`, its success is not announced: something else shows it. */
  async function run<Answer>(
    name: string,
    call: () => Promise<Answer>,
    done: string = t("common.done"),
  ): Promise<Answer | undefined> {
    const release = keepFocus();
    setBusy(name);
    setFault(undefined);
    try {
      const answer = await withProof(call);
      if (done) announce(done);
      onChanged();
      return answer;
    } catch (error) {
      setFault(t(`errors.${error instanceof ApiError ? error.key : "error_network"}`));
      return undefined;
    } finally {
      setBusy(undefined);
      release();
    }
  }
  return { busy, fault, run };
}
