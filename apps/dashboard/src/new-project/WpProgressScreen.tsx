import { type ErrorKey, type Project, type Task, taskMessages } from "@nido/contract";
import { CircleCheck, Frown, PartyPopper } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate, useSearchParams } from "react-router";
import { paths } from "../paths.ts";
import { useProjects, usePurchases, useSettings } from "../state/store.ts";
import { Button, ButtonAnchor } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { Notice } from "../ui/Notice.tsx";
import { Page } from "../ui/Page.tsx";
import { ProgressBar } from "../ui/ProgressBar.tsx";
import { Spinner } from "../ui/Spinner.tsx";
import { FirstSteps } from "./FirstSteps.tsx";
import { NoPurchase } from "./NoPurchase.tsx";
import { PaymentProcessing } from "./PaymentProcessing.tsx";
import { useTask } from "./useTask.ts";

interface Props {
  /** the button that opens the new site's admin */
  enter(project: Project): ReactNode;
}

/** The progress of a WordPress that was bought; then its first steps. */
export function WpProgressScreen({ enter }: Props) {
  const [query] = useSearchParams();
  const id = query.get("taskId");
  return id ? <Progress id={id} enter={enter} /> : <NoPurchase />;
}

function Progress({ id, enter }: Props & { id: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const projects = useProjects();
  const { task, isLost, isUnknown } = useTask(id);
  const purchase = usePurchases().find(({ task_id }) => task_id === id);
  if (isUnknown) return <NoPurchase />;
  if (purchase) return <PaymentProcessing name={purchase.name} />;

  const state = task?.state ?? "pending";
  const isOver = state === "completed" || state === "failed";
  const project = task?.project_id ? projects[task.project_id] : undefined;
  const title = {
    completed: t("newProject.progressDone"),
    failed: t("newProject.progressFailed"),
    running: t("newProject.progressTitle"),
    pending: t("newProject.progressTitle"),
  }[state];
  return (
    <Page title={title} {...(!isOver && { intro: t("newProject.progressText") })}>
      <Card className="mb-4 max-w-[720px] p-6">
        {state === "completed" && <Success />}
        {state === "failed" && <Failure error={task?.error} />}
        {!isOver && <Stages task={task} />}
        {isLost && (
          <div className="mt-5">
            <Notice>{t("newProject.progressLostText")}</Notice>
          </div>
        )}
      </Card>
      {state === "completed" && project && <FirstSteps project={project} enter={enter(project)} />}
      <Button
        look={project ? "plain" : "primary"}
        disabled={!isOver}
        onClick={() => navigate(paths.projects)}
        className="mt-6"
      >
        {t("newProject.close")}
      </Button>
    </Page>
  );
}

function Stages({ task }: { task: Task | undefined }) {
  const { t } = useTranslation();
  const latest = task?.progress.at(-1);
  const percent = Math.round((latest?.progress ?? 0) * 100);
  const reached = latest ? taskMessages.indexOf(latest.message) : -1;
  return (
    <>
      <ProgressBar label={t("newProject.progressLabel")} percent={percent} />
      <p role="status" className="mt-2 mb-5 text-ink-2">
        {latest ? t(`newProject.stages.${latest.message}`) : t("newProject.waiting")}
      </p>
      <ol className="space-y-2">
        {taskMessages.map((message, index) => (
          <li key={message} className={`flex items-center gap-2.5 ${index > reached ? "text-ink-3" : "text-ink-2"}`}>
            <span className={`grid size-[18px] place-items-center ${index < reached ? "text-green" : ""}`}>
              {index < reached && <CircleCheck className="size-[18px]" aria-hidden="true" />}
              {index === reached && <Spinner />}
              {index > reached && <span className="size-1.5 rounded-full bg-line-strong" />}
            </span>
            {t(`newProject.stages.${message}`)}
          </li>
        ))}
      </ol>
    </>
  );
}

function Success() {
  const { t } = useTranslation();
  return (
    <div role="status">
      <ProgressBar label={t("newProject.progressLabel")} percent={100} />
      <p className="mt-5 flex gap-3 text-ink-2">
        <PartyPopper className="size-5 shrink-0 text-green" aria-hidden="true" />
        {t("newProject.progressDoneText")}
      </p>
    </div>
  );
}

function Failure({ error }: { error: ErrorKey | undefined }) {
  const { t } = useTranslation();
  const { support_email: email } = useSettings();
  return (
    <div role="alert">
      <p className="mb-4 flex gap-3 text-ink-2">
        <Frown className="size-5 shrink-0 text-red" aria-hidden="true" />
        {t(error ? `errors.${error}` : "newProject.progressFailedText")}
      </p>
      <ButtonAnchor href={`mailto:${email}`}>{t("newProject.contact")}</ButtonAnchor>
    </div>
  );
}
