import type { Project } from "@nido/contract";
import { ExternalLink, Gift, Globe, ReceiptText } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { paths, serverPaths } from "../paths.ts";
import { ButtonAnchor } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { forgetTyped } from "./typed.ts";

/** A project that has just been bought: where it is, and what to do with it first. */
export function FirstSteps({ project, enter }: { project: Project; enter?: ReactNode }) {
  const { t } = useTranslation();
  useEffect(forgetTyped, []);
  return (
    <section aria-label={t("newProject.first.title")} className="max-w-[720px]">
      <Card className="mb-4 flex flex-wrap items-center justify-between gap-4 p-6">
        <div className="min-w-0">
          <p className="text-small text-ink-3">{t("newProject.first.address")}</p>
          <p className="font-mono text-[1.0625rem] break-all">{new URL(project.address).host}</p>
        </div>
        <div className="flex flex-wrap gap-3">
          <ButtonAnchor href={project.address} target="_blank" rel="noopener">
            {t("newProject.first.visit")}
            <ExternalLink className="size-4" aria-hidden="true" />
          </ButtonAnchor>
          {enter}
        </div>
      </Card>
      <ul className="grid grid-cols-1 gap-4 sm:grid-cols-3">
        <Step icon={Globe} title={t("newProject.first.domain")} text={t("newProject.first.domainText")}>
          {(className, content) => (
            <Link
              to={paths.newDomainFor(project.id)}
              state={{ nextPath: paths.projectTab(project.id, "configuration") }}
              className={className}
            >
              {content}
            </Link>
          )}
        </Step>
        <Step icon={ReceiptText} title={t("newProject.first.receipt")} text={t("newProject.first.receiptText")}>
          {(className, content) => (
            <a href={serverPaths.receipt(project.id)} target="_blank" rel="noopener" className={className}>
              {content}
            </a>
          )}
        </Step>
        <Step icon={Gift} title={t("newProject.first.invite")} text={t("newProject.first.inviteText")}>
          {(className, content) => (
            <Link to={paths.settingsReferrals} className={className}>
              {content}
            </Link>
          )}
        </Step>
      </ul>
    </section>
  );
}

interface StepProps {
  icon: typeof Globe;
  title: string;
  text: string;
  children(className: string, content: ReactNode): ReactNode;
}

function Step({ icon: Icon, title, text, children }: StepProps) {
  return (
    <li>
      {children(
        "block h-full rounded-card border border-line bg-surface p-5 transition-colors duration-150 hover:border-line-strong",
        <>
          <Icon className="mb-3 size-5 text-brand" aria-hidden="true" />
          <span className="block font-[600]">{title}</span>
          <span className="mt-0.5 block text-small text-ink-2">{text}</span>
        </>,
      )}
    </li>
  );
}
