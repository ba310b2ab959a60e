import type { Domain, Project } from "@nido/contract";
import { ChevronRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { paths } from "../paths.ts";
import { Badge } from "../ui/Badge.tsx";
import { CertificateLine } from "./CertificateLine.tsx";
import { DnsGuide } from "./DnsGuide.tsx";
import { PrimaryChoice } from "./PrimaryChoice.tsx";

interface Props {
  project: Project;
  id: string;
  domain: Domain;
}

const tones = { pending: "neutral", verified: "green", failing: "red" } as const;

/** A customer's own domain, with DNS instructions until it is verified. */
export function AddedDomain({ project, id, domain }: Props) {
  const { t } = useTranslation();
  return (
    <>
      <Link
        to={paths.deleteDomain}
        state={{ project, domain_id: id, domain_name: domain.name }}
        className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-5 py-3.5 hover:bg-sunken"
      >
        <span className="min-w-0 font-mono text-small break-all">
          <span className="sr-only">{t("domains.delete")}</span> {domain.name}
          {domain.redirects_to && <span className="text-ink-3"> → {domain.redirects_to}</span>}
        </span>
        <span className="flex items-center gap-2">
          {domain.primary && <Badge tone="blue">{t("project.primary.badge")}</Badge>}
          <Badge tone={tones[domain.status]}>{t(`project.domainStatus.${domain.status}`)}</Badge>
          <ChevronRight className="size-4 text-ink-3" aria-hidden="true" />
        </span>
      </Link>
      {domain.certificate && <CertificateLine {...domain.certificate} />}
      {domain.status === "verified" ? (
        <PrimaryChoice project={project} id={id} domain={domain} />
      ) : (
        <DnsGuide project={project} id={id} domain={domain} />
      )}
    </>
  );
}
