import { categoryOf, type Domain, type Project } from "@nido/contract";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { formatDate, formatDateTime, formatSeconds } from "../i18n/format.ts";
import { currentLanguage } from "../i18n/language.ts";
import { paths } from "../paths.ts";
import { useSubscriptions } from "../state/store.ts";
import { Card } from "../ui/Card.tsx";
import { type DotState, StatusDot } from "../ui/StatusDot.tsx";
import { DiskUse } from "./DiskUse.tsx";
import { isUnpublished, statusDots } from "./ProjectCard.tsx";

/** The state of a project in a few lines: site, domain, certificate, backup, plan, payment, disk. */
export function AtAGlance({ project }: { project: Project }) {
  const { t } = useTranslation();
  const lang = currentLanguage();
  const domain = mainDomain(project);
  const pending = Object.values(project.domains).filter(({ status }) => status === "pending").length;
  return (
    <Card className="h-full px-5 py-2">
      <dl className="divide-y divide-line">
        <Fact label={t("project.glance.site")}>
          {isUnpublished(project) ? (
            <StatusDot state="waiting">{t("project.glance.unpublished")}</StatusDot>
          ) : (
            <StatusDot state={statusDots[project.status]}>{t(`projects.status.${project.status}`)}</StatusDot>
          )}
        </Fact>
        <Fact label={t("project.glance.domain")}>
          <StatusDot state={domain.status === "failing" ? "bad" : domain.status === "pending" ? "waiting" : "good"}>
            {domain.name}
          </StatusDot>
          {pending > 0 && (
            <Link
              to={paths.projectTab(project.id, "configuration")}
              className="block text-small text-ink-2 hover:underline"
            >
              {t("project.glance.pending", { count: pending })}
            </Link>
          )}
        </Fact>
        {domain.certificate && (
          <Fact label={t("project.glance.certificate")}>
            <StatusDot state={certificateDots[domain.certificate.status]}>
              {domain.certificate.valid_until
                ? t("project.glance.until", { date: formatDate(domain.certificate.valid_until, lang) })
                : t(`project.glance.${domain.certificate.status === "issuing" ? "issuing" : "problem"}`)}
            </StatusDot>
          </Fact>
        )}
        {categoryOf(project.recipe) === "wordpress" && (
          <Fact label={t("project.glance.backup")}>
            <StatusDot state={project.backed_up_at ? "good" : "waiting"}>
              {project.backed_up_at ? formatDateTime(project.backed_up_at, lang) : t("project.glance.backupSoon")}
            </StatusDot>
          </Fact>
        )}
        <Fact label={t("project.plan")}>{t(`recipes.${project.recipe}`)}</Fact>
        <Payment project={project} />
        <Fact label={t("project.disk")}>
          <DiskUse disk={project.disk} />
        </Fact>
      </dl>
    </Card>
  );
}

const certificateDots: Record<NonNullable<Domain["certificate"]>["status"], DotState> = {
  valid: "good",
  issuing: "waiting",
  problem: "bad",
};

/** The domain that visitors use. */
function mainDomain({ domains, address }: Project): Domain {
  const { hostname } = new URL(address);
  const all = Object.values(domains);
  return all.find(({ domain }) => domain === hostname) ?? (all.find(({ controlled }) => controlled) as Domain);
}

function Payment({ project }: { project: Project }) {
  const { t } = useTranslation();
  const subscription = useSubscriptions()[project.sub_id];
  if (!subscription) return null;
  const { past_due: isOwed, dispute, cancel_at_period_end: isEnding, current_period_end: end } = subscription;
  const date = formatSeconds(end, currentLanguage());
  return (
    <Fact label={t("project.glance.payment")}>
      <StatusDot state={isOwed || dispute ? "bad" : isEnding ? "waiting" : "good"}>
        {isOwed || dispute
          ? t(`project.glance.${dispute ? "disputed" : "owed"}`)
          : t(`project.glance.${isEnding ? "ends" : "renews"}`, { date })}
      </StatusDot>
    </Fact>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5">
      <dt className="text-ink-2">{label}</dt>
      <dd className="ml-auto min-w-0 text-right break-words">{children}</dd>
    </div>
  );
}
