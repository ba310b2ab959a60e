import { KeyRound } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import { ApiError, api, post } from "../api/api.ts";
import { askPasskey, canUsePasskeys } from "../api/passkeys.ts";
import { serverPaths } from "../paths.ts";
import { Button } from "../ui/Button.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { reloadSignedIn, withoutSignIn } from "./withoutSignIn.ts";

/** Signs in with a passkey alone. */
export function PasskeySignIn() {
  const { t } = useTranslation();
  const here = withoutSignIn(useLocation());
  const [isBusy, setIsBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  if (!canUsePasskeys()) return null;

  async function signIn() {
    setIsBusy(true);
    setFault(undefined);
    try {
      const passkey = await askPasskey(await api(serverPaths.passkeyOptions, post({})));
      await api(serverPaths.passkeySignIn, post({ passkey }));
      reloadSignedIn(here);
    } catch (error) {
      setFault(error instanceof ApiError ? t(`errors.${error.key}`) : t("proof.failed"));
      setIsBusy(false);
    }
  }

  return (
    <>
      <Button busy={isBusy} onClick={signIn} className="w-full">
        {!isBusy && <KeyRound className="size-[18px]" aria-hidden="true" />}
        {t("proof.signIn")}
      </Button>
      {fault && <ErrorBox>{fault}</ErrorBox>}
    </>
  );
}
