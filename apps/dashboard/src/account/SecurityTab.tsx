import type { Security, TokenInfo } from "@nido/contract";
import { useTranslation } from "react-i18next";
import { api } from "../api/api.ts";
import { useCall } from "../api/useCall.ts";
import { serverPaths } from "../paths.ts";
import { Button } from "../ui/Button.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { Passkeys } from "./Passkeys.tsx";
import { Sessions } from "./Sessions.tsx";
import { Tokens } from "./Tokens.tsx";
import { TwoStep } from "./TwoStep.tsx";
import { WaysIn } from "./WaysIn.tsx";

async function load(signal: AbortSignal) {
  const [security, tokens] = await Promise.all([
    api<Security>(serverPaths.security, { signal }),
    api<TokenInfo[]>(serverPaths.tokens, { signal }),
  ]);
  return { security, tokens };
}

/** How the customer signs in, and where they are signed in. */
export function SecurityTab() {
  const { t } = useTranslation();
  const call = useCall(load);
  if (call.status === "failed")
    return (
      <div className="flex flex-col items-start gap-4">
        <ErrorBox>{t("security.failed")}</ErrorBox>
        <Button onClick={call.retry}>{t("common.retry")}</Button>
      </div>
    );
  if (call.status === "loading")
    return (
      <div className="flex flex-col gap-6">
        <Skeleton count={3} className="h-40" />
      </div>
    );
  const { security, tokens } = call.answer;
  const changed = call.retry;
  return (
    <>
      <WaysIn security={security} onChanged={changed} />
      <Passkeys passkeys={security.passkeys} onChanged={changed} />
      <TwoStep security={security} onChanged={changed} />
      <Sessions sessions={security.sessions} onChanged={changed} />
      <Tokens tokens={tokens} onChanged={changed} />
    </>
  );
}
