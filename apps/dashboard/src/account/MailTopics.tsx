import { type MailTopic, mailTopics } from "@nido/contract";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { useAction, useUser } from "../state/store.ts";
import { useErrorText } from "../state/useErrorText.ts";
import { Card } from "../ui/Card.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Spinner } from "../ui/Spinner.tsx";

/** The kinds of mail that the customer can turn off. */
export function MailTopics() {
  const { t } = useTranslation();
  const id = useId();
  const { muted_mail: muted } = useUser();
  const errorText = useErrorText();
  const { trigger, inProgress, error } = useAction("UPDATE_MUTED_MAIL");

  function toggle(topic: MailTopic, isOn: boolean) {
    if (inProgress) return;
    trigger({ muted: isOn ? muted.filter((each) => each !== topic) : [...muted, topic] });
  }

  return (
    <section className="mb-9">
      <h2 className="mb-3 flex items-center gap-2 text-section font-[640]">
        {t("security.mail")}
        {inProgress && <Spinner />}
      </h2>
      <Card className="flex flex-col gap-3 p-5">
        {mailTopics.map((topic) => (
          <label key={topic} className="flex items-start gap-3">
            <input
              type="checkbox"
              className="mt-1 size-4 shrink-0 accent-brand"
              checked={!muted.includes(topic)}
              aria-disabled={inProgress}
              aria-describedby={`${id}-note`}
              onChange={({ target }) => toggle(topic, target.checked)}
            />
            {t(`security.topics.${topic}`)}
          </label>
        ))}
        <p id={`${id}-note`} className="text-small text-ink-3">
          {t("security.mailNote")}
        </p>
        {error && <ErrorBox>{errorText(error.error)}</ErrorBox>}
      </Card>
    </section>
  );
}
