import type { Security } from "@nido/contract";
import { isErrorKey } from "@nido/contract";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { api, post } from "../api/api.ts";
import { paths, serverPaths } from "../paths.ts";
import { requestProof } from "../state/proof.ts";
import { useSettings } from "../state/store.ts";
import { useChange } from "../state/useChange.ts";
import { Button } from "../ui/Button.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Row, Rows } from "../ui/Rows.tsx";

/** Google, linked or not. Password and e-mail address are among the general settings. */
export function WaysIn({ security, onChanged }: { security: Security; onChanged(): void }) {
  const { t, i18n } = useTranslation();
  const { google } = useSettings();
  const { busy, fault, run } = useChange(onChanged);
  const [query] = useSearchParams();
  const linkError = query.get("signin_error");
  if (!google && !security.has_google) return null;

  async function link() {
    const here = paths.settingsTab("security");
    const parameters = new URLSearchParams({ redirect: here, lang: i18n.language, intent: "link" });
    // Asked before leaving for Google: the way back must not fail.
    if (await requestProof()) location.assign(`${serverPaths.google}?${parameters}`);
  }

  const unlink = () => run("unlink", () => api(serverPaths.unlinkGoogle, post({})));
  return (
    <Rows title={t("security.ways")}>
      <Row
        label={t("security.google")}
        action={
          <Button size="small" busy={busy === "unlink"} onClick={security.has_google ? unlink : link}>
            {t(security.has_google ? "security.googleUnlink" : "security.googleLink")}
          </Button>
        }
      >
        {t(security.has_google ? "security.googleLinked" : "security.googleNone")}
        {(fault ?? isErrorKey(linkError)) && (
          <div className="mt-2">
            <ErrorBox>{fault ?? (isErrorKey(linkError) && t(`errors.${linkError}`))}</ErrorBox>
          </div>
        )}
      </Row>
    </Rows>
  );
}
