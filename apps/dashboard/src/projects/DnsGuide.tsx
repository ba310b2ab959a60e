import type { DnsRecord, Domain, ExpectedRecord, Project } from "@nido/contract";
import { Circle, CircleCheck, CircleX, RotateCw } from "lucide-react";
import { useTranslation } from "react-i18next";
import { formatDateTime } from "../i18n/format.ts";
import { currentLanguage } from "../i18n/language.ts";
import { useAction } from "../state/store.ts";
import { useErrorText } from "../state/useErrorText.ts";
import { Button } from "../ui/Button.tsx";
import { CopyLine } from "../ui/CopyLine.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { RegistrarGuide } from "./RegistrarGuide.tsx";

interface Props {
  project: Project;
  id: string;
  domain: Domain;
}

/** The DNS records that a domain needs, each with whether it is there, and a button that checks them again. */
export function DnsGuide({ project, id, domain }: Props) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { trigger, inProgress, error } = useAction("CHECK_DOMAIN");
  const { status, expected = [], seen = [], reason, checked_at: checkedAt } = domain;
  return (
    <div>
      <p className="mb-4 max-w-[65ch] text-small text-ink-2" role="status">
        {reason ? errorText(reason) : t("project.dns.notChecked")}{" "}
        {t(`project.dns.${status === "failing" ? "failing" : "intro"}`)}
      </p>
      <ul className="flex flex-col gap-3">
        {expected.map((record) => (
          <RecordLine key={`${record.type} ${record.value}`} record={record} seen={seen} />
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
      <RegistrarGuide />
    </div>
  );
}

/** One record as registrars ask for it: type, host, value. */
function RecordLine({ record, seen }: { record: ExpectedRecord; seen: DnsRecord[] }) {
  const { t } = useTranslation();
  const isThere = seen.some(({ type, value }) => type === record.type && value === record.value);
  const instead = isThere ? "" : seenInstead(record, seen);
  // A record that nobody has created yet is no error.
  const [Icon, colour] = isThere
    ? [CircleCheck, "text-green"]
    : instead
      ? [CircleX, "text-red"]
      : [Circle, "text-ink-3"];
  return (
    <li className="rounded-control border border-line p-3">
      <div className="mb-2 flex items-center gap-2">
        <Icon
          className={`size-[18px] shrink-0 ${colour}`}
          role="img"
          aria-label={t(isThere ? "project.dns.there" : "project.dns.missing")}
        />
        <span className="font-[600]">{record.type}</span>
        <span className="min-w-0 font-mono text-small break-all text-ink-3">{record.name}</span>
      </div>
      <div className="grid gap-x-4 gap-y-2 md:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
        <RecordPart title={t("project.dns.host")} text={record.host} record={record} />
        <RecordPart title={t("project.dns.value")} text={record.value} record={record} />
      </div>
      {!isThere && (
        <p className="mt-2 text-small break-all text-ink-3">
          {t("project.dns.seen")} {instead ? `${instead}. ${t("project.dns.replace")}` : t("project.dns.nothing")}
        </p>
      )}
    </li>
  );
}

function RecordPart({ title, text, record }: { title: string; text: string; record: DnsRecord }) {
  return (
    <div className="min-w-0">
      <p className="mb-1 text-small font-[600]">{title}</p>
      <CopyLine text={text} label={`${title} (${record.type} ${record.name})`} />
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
