import type { Certificate } from "@nido/contract";
import { LoaderCircle, LockKeyhole, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { formatDate } from "../i18n/format.ts";
import { currentLanguage } from "../i18n/language.ts";
import { useErrorText } from "../state/useErrorText.ts";

const icons = { issuing: LoaderCircle, valid: LockKeyhole, problem: TriangleAlert };
const tones = { issuing: "text-ink-3", valid: "text-ink-3", problem: "text-red" };

/** Whether a domain has a certificate, until when, or why not. */
export function CertificateLine({ status, valid_until: validUntil, reason }: Certificate) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const Icon = icons[status];
  return (
    <p className={`flex items-start gap-2 text-small ${tones[status]}`} role="status">
      <Icon className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
      <span className="max-w-[65ch]">
        {status === "issuing" && t("project.certificate.issuing")}
        {validUntil && t("project.certificate.valid", { date: formatDate(validUntil, currentLanguage()) })}
        {reason && t("project.certificate.problem", { reason: errorText(reason) })}
      </span>
    </p>
  );
}
