import { useTranslation } from "react-i18next";
import { api, post } from "../api/api.ts";
import { formatDate } from "../i18n/format.ts";
import { currentLanguage } from "../i18n/language.ts";
import { serverPaths } from "../paths.ts";
import { useUser } from "../state/store.ts";
import { useChange } from "../state/useChange.ts";
import { Button } from "../ui/Button.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Page } from "../ui/Page.tsx";
import { DisconnectButton } from "./DisconnectButton.tsx";
import { DownloadData } from "./DownloadData.tsx";

/** All that a customer sees whose account is closed: until when it can be reopened. */
export function ClosedAccountScreen() {
  const { t } = useTranslation();
  const { removal_at: until = "" } = useUser();
  const { busy, fault, run } = useChange();
  const reopen = () => run("reopen", () => api(serverPaths.reopenAccount, post({})));
  return (
    <div className="mx-auto w-full max-w-[720px] px-[18px] py-9 sm:px-12">
      <Page title={t("data.closedTitle")} intro={t("data.closedText", { date: formatDate(until, currentLanguage()) })}>
        {fault && (
          <div className="mb-4">
            <ErrorBox>{fault}</ErrorBox>
          </div>
        )}
        <div className="mb-9 flex flex-wrap items-center gap-3">
          <Button look="primary" busy={busy !== undefined} onClick={reopen}>
            {t("data.reopen")}
          </Button>
          <DisconnectButton />
        </div>
        <DownloadData />
      </Page>
    </div>
  );
}
