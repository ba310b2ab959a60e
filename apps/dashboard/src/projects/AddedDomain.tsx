import type { Domain, Project } from "@nido/contract";
import { ChevronDown, ExternalLink } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { paths } from "../paths.ts";
import { Badge } from "../ui/Badge.tsx";
import { ButtonAnchor, ButtonLink } from "../ui/Button.tsx";
import { StatusDot } from "../ui/StatusDot.tsx";
import { CertificateLine } from "./CertificateLine.tsx";
import { DnsGuide } from "./DnsGuide.tsx";
import { PrimaryChoice } from "./PrimaryChoice.tsx";

interface Props {
  project: Project;
  id: string;
  domain: Domain;
}

const dots = { pending: "waiting", verified: "good", failing: "bad" } as const;

/** A customer's own domain. The row opens its details; those of a domain that does not work are open. */
export function AddedDomain({ project, id, domain }: Props) {
  const { t } = useTranslation();
  // Decided once: the details must not close while the customer watches the domain become verified.
  const [isOpenAtFirst] = useState(domain.status !== "verified");
  const isServed = domain.status !== "pending";
  const scheme = new URL(project.url).protocol;
  const { port } = new URL(project.url);
  return (
    <details open={isOpenAtFirst} className="group">
      <summary className="flex cursor-pointer list-none flex-wrap items-center justify-between gap-x-4 gap-y-1 px-5 py-3.5 hover:bg-sunken [&::-webkit-details-marker]:hidden">
        <span className="min-w-0 font-mono text-small break-all">
          {domain.name}
          {domain.redirects_to && <span className="text-ink-3"> → {domain.redirects_to}</span>}
        </span>
        <span className="flex items-center gap-3">
          {domain.primary && <Badge tone="neutral">{t("project.primary.badge")}</Badge>}
          <StatusDot state={dots[domain.status]}>{t(`project.domainStatus.${domain.status}`)}</StatusDot>
          <ChevronDown className="size-4 text-ink-3 group-open:rotate-180" aria-hidden="true" />
        </span>
      </summary>
      <div className="flex flex-col gap-4 px-5 pt-1 pb-5">
        {domain.certificate && <CertificateLine {...domain.certificate} />}
        {domain.status === "verified" ? (
          <PrimaryChoice project={project} id={id} domain={domain} />
        ) : (
          <DnsGuide project={project} id={id} domain={domain} />
        )}
        <div className="flex flex-wrap gap-3">
          {isServed && (
            <ButtonAnchor
              size="small"
              href={`${scheme}//${domain.domain}${port && `:${port}`}`}
              target="_blank"
              rel="noreferrer"
            >
              {t("project.visit")}
              <span className="sr-only">{domain.name}</span>
              <ExternalLink className="size-3.5" aria-hidden="true" />
            </ButtonAnchor>
          )}
          <ButtonLink size="small" look="danger" to={paths.deleteDomainOf(project.id, id)}>
            {t("domains.delete")}
            <span className="sr-only">{domain.name}</span>
          </ButtonLink>
        </div>
      </div>
    </details>
  );
}
