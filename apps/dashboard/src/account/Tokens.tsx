import type { TokenInfo } from "@nido/contract";
import { useTranslation } from "react-i18next";
import { api } from "../api/api.ts";
import { formatDate } from "../i18n/format.ts";
import { currentLanguage } from "../i18n/language.ts";
import { serverPaths } from "../paths.ts";
import { useChange } from "../state/useChange.ts";
import { Button } from "../ui/Button.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Row, Rows } from "../ui/Rows.tsx";

/** The logins and tokens of the command-line tool. */
export function Tokens({ tokens, onChanged }: { tokens: TokenInfo[]; onChanged(): void }) {
  const { t } = useTranslation();
  const { busy, fault, run } = useChange(onChanged);
  return (
    <Rows title={t("security.tokens")}>
      {tokens.length === 0 && (
        <Row label={t("security.access")}>
          <span className="font-normal text-ink-2">{t("security.tokensNone")}</span>
        </Row>
      )}
      {tokens.map((token) => (
        <Row
          key={token.id}
          label={token.name}
          action={
            <Button
              size="small"
              busy={busy === token.id}
              disabled={busy !== undefined}
              onClick={() => run(token.id, () => api(serverPaths.token(token.id), { method: "DELETE" }))}
            >
              {t("security.revoke")}
              <span className="sr-only">{token.name}</span>
            </Button>
          }
        >
          <TokenFacts token={token} />
        </Row>
      ))}
      {(tokens.length > 1 || fault) && (
        <Row
          label={t("security.revokeAll")}
          action={
            <Button
              size="small"
              look="danger"
              busy={busy === "all"}
              disabled={busy !== undefined}
              onClick={() => run("all", () => api(serverPaths.tokens, { method: "DELETE" }))}
            >
              {t("security.revokeAll")}
            </Button>
          }
        >
          {fault && <ErrorBox>{fault}</ErrorBox>}
        </Row>
      )}
    </Rows>
  );
}

function TokenFacts({ token: { kind, project, access, used_at, expires_at } }: { token: TokenInfo }) {
  const { t } = useTranslation();
  const lang = currentLanguage();
  const facts = [
    t(`security.${kind}`),
    `${t(`security.${access}`)}: ${project ?? t("security.allProjects")}`,
    used_at ? t("security.used", { date: formatDate(used_at, lang) }) : t("security.neverUsed"),
    t("security.expires", { date: formatDate(expires_at, lang) }),
  ];
  return <span className="font-normal text-ink-2">{facts.join(" · ")}</span>;
}
