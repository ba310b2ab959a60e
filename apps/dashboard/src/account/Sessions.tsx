import type { SessionInfo } from "@nido/contract";
import { useTranslation } from "react-i18next";
import { api } from "../api/api.ts";
import { formatDate, formatDateTime } from "../i18n/format.ts";
import { currentLanguage } from "../i18n/language.ts";
import { serverPaths } from "../paths.ts";
import { useChange } from "../state/useChange.ts";
import { Badge } from "../ui/Badge.tsx";
import { Button } from "../ui/Button.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Row, Rows } from "../ui/Rows.tsx";

/** Where the customer is signed in. */
export function Sessions({ sessions, onChanged }: { sessions: SessionInfo[]; onChanged(): void }) {
  const { t } = useTranslation();
  const lang = currentLanguage();
  const { busy, fault, run } = useChange(onChanged);
  const hasOthers = sessions.length > 1;
  return (
    <Rows title={t("security.sessions")}>
      {sessions
        .toSorted((a, b) => Number(b.is_current) - Number(a.is_current))
        .map(({ id, device, place, created_at, last_seen_at, is_current }) => (
          <Row
            key={id}
            label={device || t("security.unknownDevice")}
            action={
              is_current ? (
                <Badge tone="green">{t("security.thisOne")}</Badge>
              ) : (
                <Button
                  size="small"
                  busy={busy === id}
                  disabled={busy !== undefined}
                  onClick={() => run(id, () => api(serverPaths.session(id), { method: "DELETE" }))}
                >
                  {t("security.end")}
                  <span className="sr-only">{device}</span>
                </Button>
              )
            }
          >
            <span className="font-normal text-ink-2">
              {place && `${place} · `}
              {t("security.since", { date: formatDate(created_at, lang) })},{" "}
              {is_current
                ? t("security.activeNow")
                : t("security.lastSeen", { date: formatDateTime(last_seen_at, lang) })}
            </span>
          </Row>
        ))}
      <Row
        label={t("security.others")}
        action={
          hasOthers && (
            <Button
              size="small"
              look="danger"
              busy={busy === "all"}
              disabled={busy !== undefined}
              onClick={() =>
                run(
                  "all",
                  () => api(serverPaths.sessions, { method: "DELETE" }),
                  t("security.ended", { count: sessions.length - 1 }),
                )
              }
            >
              {t("security.endAll")}
            </Button>
          )
        }
      >
        {!hasOthers && <span className="font-normal text-ink-2">{t("security.noOthers")}</span>}
        {fault && <ErrorBox>{fault}</ErrorBox>}
      </Row>
    </Rows>
  );
}
