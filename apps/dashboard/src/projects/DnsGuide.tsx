import type { DnsRecord, Domain, Project } from "@nido/contract";
import { RotateCw } from "lucide-react";
import { useTranslation } from "react-i18next";
import { formatDateTime } from "../i18n/format.ts";
import { currentLanguage } from "../i18n/language.ts";
import { useAction } from "../state/store.ts";
import { useErrorText } from "../state/useErrorText.ts";
import { Button } from "../ui/Button.tsx";
import { CopyLine } from "../ui/CopyLine.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";

interface Props {
  project: Project;
  id: string;
  domain: Domain;
}

/** The DNS records that a domain should have, the ones it has, and a button that checks them again. */
export function DnsGuide({ project, id, domain }: Props) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { trigger, inProgress, error } = useAction("CHECK_DOMAIN");
  const { status, expected = [], seen = [], reason, checked_at: checkedAt } = domain;
  return (
    <div className="px-5 pb-5">
      <p className="mb-4 max-w-[65ch] text-small text-ink-2" role="status">
        {reason ? errorText(reason) : t("project.dns.notChecked")}{" "}
        {t(`project.dns.${status === "failing" ? "failing" : "intro"}`)}
      </p>
      <ul className="flex flex-col gap-4">
        {expected.map((record) => (
          <li key={`${record.type} ${record.value}`} className="grid gap-x-5 gap-y-2 md:grid-cols-2">
            <RecordPart title={t("project.dns.name", { type: record.type })} text={record.name} />
            <RecordPart title={t("project.dns.value")} text={record.value} />
            <p className="text-small break-all text-ink-3 md:col-span-2">
              {t("project.dns.seen")} {seenInstead(record, seen) || t("project.dns.nothing")}
            </p>
          </li>
        ))}
      </ul>
      {error && (
        <div className="mt-3">
          <ErrorBox>{errorText(error.error)}</ErrorBox>
        </div>
      )}
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <Button
          size="small"
          busy={inProgress}
          aria-label={t("project.dns.checkName", { domain: domain.name })}
          onClick={() => trigger({ project_id: project.id, domain_id: id })}
        >
          <RotateCw className="size-4" aria-hidden="true" />
          {t("project.dns.check")}
        </Button>
        {checkedAt && (
          <p className="text-small text-ink-3">
            {t("project.dns.checkedAt", { date: formatDateTime(checkedAt, currentLanguage()) })}
          </p>
        )}
      </div>
    </div>
  );
}

function RecordPart({ title, text }: { title: string; text: string }) {
  return (
    <div className="min-w-0">
      <p className="mb-1 text-small font-[600]">{title}</p>
      <CopyLine text={text} label={title} />
    </div>
  );
}

/** The records that DNS has instead of an expected one, which may be of another type: an A instead of a CNAME. */
function seenInstead({ type }: DnsRecord, seen: DnsRecord[]): string {
  const isInstead = (other: DnsRecord) => (type === "TXT" ? other.type === "TXT" : other.type !== "TXT");
  const same = seen.filter((other) => other.type === type);
  const shown = same.length > 0 ? same : seen.filter(isInstead);
  return shown.map((other) => (other.type === type ? other.value : `${other.type} ${other.value}`)).join(", ");
}
