import type { Domain, Project } from "@nido/contract";
import { Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { paths } from "../paths.ts";
import { Badge } from "../ui/Badge.tsx";
import { ButtonLink } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { AddedDomain } from "./AddedDomain.tsx";
import { HstsSwitch } from "./HstsSwitch.tsx";
import { PrimaryChoice } from "./PrimaryChoice.tsx";
import { SitePassword } from "./SitePassword.tsx";

export function ConfigurationTab({ project }: { project: Project }) {
  const { t } = useTranslation();
  return (
    <>
      <section className="mb-9">
        <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
          <h2 className="text-section font-[640]">{t("project.domains")}</h2>
          <ButtonLink size="small" to={paths.newDomainFor(project.id)}>
            <Plus className="size-4" aria-hidden="true" />
            {t("project.addDomain")}
          </ButtonLink>
        </div>
        <Card className="overflow-clip">
          <ul className="divide-y divide-line">
            {inOrder(project.domains).map(([id, domain]) => (
              <li key={id}>
                {domain.controlled ? (
                  <ControlledDomain project={project} id={id} domain={domain} />
                ) : (
                  <AddedDomain project={project} id={id} domain={domain} />
                )}
              </li>
            ))}
          </ul>
        </Card>
      </section>
      {project.hsts !== undefined && <HstsSwitch project={project} />}
      {project.passwords && <SitePassword project={project} />}
      <section>
        <h2 className="mb-3 text-section font-[640]">{t("project.deleteTitle")}</h2>
        <Card className="flex flex-wrap items-center justify-between gap-4 p-5">
          <p className="max-w-[60ch] text-ink-2">{t("project.deleteIntro")}</p>
          <ButtonLink size="small" look="danger" to={paths.deleteProjectOf(project.id)}>
            {t("project.deleteStart")}
          </ButtonLink>
        </Card>
      </section>
    </>
  );
}

/** The primary domain first, then ours, then by name: a row does not move when its state changes. */
function inOrder(domains: Project["domains"]): [id: string, domain: Domain][] {
  const rank = ({ primary, controlled }: Domain) => (primary ? 0 : controlled ? 1 : 2);
  return Object.entries(domains).toSorted(([, a], [, b]) => rank(a) - rank(b) || a.domain.localeCompare(b.domain));
}

function ControlledDomain({ project, id, domain }: { project: Project; id: string; domain: Domain }) {
  const { t } = useTranslation();
  const isAlone = Object.keys(project.domains).length === 1;
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-5 py-3.5">
        <span className="min-w-0 font-mono text-small break-all">{domain.name}</span>
        <span className="flex items-center gap-2">
          {domain.primary && !isAlone && <Badge tone="neutral">{t("project.primary.badge")}</Badge>}
          <span className="text-small text-ink-3">{t("project.defaultDomain")}</span>
        </span>
      </div>
      <div className="px-5 pb-4 empty:hidden">
        <PrimaryChoice project={project} id={id} domain={domain} />
      </div>
    </>
  );
}
