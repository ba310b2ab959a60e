import type { Domain, Project } from "@nido/contract";
import { ChevronRight, Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { paths } from "../app/paths.ts";
import { Badge } from "../ui/Badge.tsx";
import { ButtonLink } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";

const tones = { pending: "neutral", verified: "green", failing: "red" } as const;

export function ConfigurationTab({ project }: { project: Project }) {
  const { t } = useTranslation();
  return (
    <>
      <section className="mb-9">
        <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
          <h2 className="text-section font-[640]">{t("projects.domains")}</h2>
          <ButtonLink size="small" to={paths.newDomain} state={{ project }}>
            <Plus className="size-4" aria-hidden="true" />
            {t("projects.addDomain")}
          </ButtonLink>
        </div>
        <Card>
          <ul className="divide-y divide-line">
            {Object.entries(project.domains).map(([id, domain]) => (
              <li key={id}>
                {domain.controlled ? (
                  <ControlledDomain domain={domain} />
                ) : (
                  <AddedDomain project={project} id={id} domain={domain} />
                )}
              </li>
            ))}
          </ul>
        </Card>
      </section>
      <section>
        <h2 className="mb-3 text-section font-[640]">{t("projects.deleteTitle")}</h2>
        <Card className="flex flex-wrap items-center justify-between gap-4 p-5">
          <p className="max-w-[60ch] text-ink-2">{t("projects.deleteIntro")}</p>
          <ButtonLink size="small" look="danger" to={paths.deleteProject} state={{ project }}>
            {t("projects.deleteStart")}
          </ButtonLink>
        </Card>
      </section>
    </>
  );
}

function ControlledDomain({ domain }: { domain: Domain }) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-5 py-3.5">
      <span className="min-w-0 font-mono text-small break-all">{domain.name}</span>
      <span className="text-small text-ink-3">{t("projects.defaultDomain")}</span>
    </div>
  );
}

function AddedDomain({ project, id, domain }: { project: Project; id: string; domain: Domain }) {
  const { t } = useTranslation();
  return (
    <Link
      to={paths.deleteDomain}
      state={{ project, domain_id: id, domain_name: domain.name }}
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-5 py-3.5 hover:bg-sunken"
    >
      <span className="min-w-0 font-mono text-small break-all">
        <span className="sr-only">{t("domains.delete")}</span> {domain.name}
      </span>
      <span className="flex items-center gap-2">
        <Badge tone={tones[domain.status]}>{t(`projects.domainStatus.${domain.status}`)}</Badge>
        <ChevronRight className="size-4 text-ink-3" aria-hidden="true" />
      </span>
    </Link>
  );
}
