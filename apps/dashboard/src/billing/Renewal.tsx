import type { Project, Subscription } from "@nido/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatSeconds } from "../i18n/format.ts";
import { currentLanguage } from "../i18n/language.ts";
import { useAction } from "../state/store.ts";
import { useErrorText } from "../state/useErrorText.ts";
import { useWhenDone } from "../state/useWhenDone.ts";
import { Button } from "../ui/Button.tsx";
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx";

interface Props {
  subscription: Subscription;
  project: Project;
}

/** Cancels the renewal of a subscription, or resumes it, after a question. */
export function Renewal({ subscription, project }: Props) {
  const { t } = useTranslation();
  const [isAsking, setIsAsking] = useState(false);
  if (subscription.past_due || subscription.dispute) return null;
  return (
    <>
      <Button size="small" onClick={() => setIsAsking(true)}>
        {t(`renewal.${subscription.cancel_at_period_end ? "resume" : "cancel"}`)}
        <span className="sr-only">: {project.name}</span>
      </Button>
      {isAsking && <Question subscription={subscription} project={project} onClose={() => setIsAsking(false)} />}
    </>
  );
}

function Question({ subscription, project, onClose }: Props & { onClose(): void }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const remote = useAction("SET_RENEWAL");
  useWhenDone(remote, onClose);
  // The answer changes it, while the dialog is still open.
  const [renews] = useState(subscription.cancel_at_period_end);
  const kind = renews ? "resume" : "cancel";
  const note = !renews && subscription.trial_ends !== undefined ? "cancelTrialNote" : (`${kind}Note` as const);
  const date = formatSeconds(subscription.current_period_end, currentLanguage());

  function cancel() {
    remote.reset();
    onClose();
  }

  return (
    <ConfirmDialog
      title={t(`renewal.${kind}`)}
      note={t(`renewal.${note}`, { name: project.name, date })}
      {...(!renews && { dismiss: t("renewal.keep") })}
      look={renews ? "primary" : "danger"}
      isBusy={remote.inProgress}
      error={remote.error ? errorText(remote.error.error) : undefined}
      onConfirm={() => remote.trigger({ project_id: project.id, renews })}
      onClose={cancel}
    />
  );
}
