import type { Project } from "@nido/contract";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { useAction } from "../state/store.ts";
import { useErrorText } from "../state/useErrorText.ts";
import { Card } from "../ui/Card.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Spinner } from "../ui/Spinner.tsx";

/** Switches HSTS on or off. */
export function HstsSwitch({ project }: { project: Project }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const id = useId();
  const { trigger, inProgress, error } = useAction("SET_HSTS");
  return (
    <section className="mb-9">
      <h2 className="mb-3 text-section font-[640]">{t("project.hsts.title")}</h2>
      <Card className="flex items-start gap-3 p-5">
        <input
          id={id}
          type="checkbox"
          className="mt-1 size-4 shrink-0 accent-brand"
          checked={project.hsts}
          aria-disabled={inProgress}
          aria-busy={inProgress}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => !inProgress && trigger({ project_id: project.id, enabled: target.checked })}
        />
        <div>
          <div className="flex items-center gap-2">
            <label htmlFor={id} className="font-[560]">
              {t("project.hsts.label")}
            </label>
            {inProgress && <Spinner />}
          </div>
          <p id={`${id}-hint`} className="mt-1 max-w-[65ch] text-small text-pretty text-ink-3">
            {t("project.hsts.hint")}
          </p>
          {error && (
            <div className="mt-3">
              <ErrorBox>{errorText(error.error)}</ErrorBox>
            </div>
          )}
        </div>
      </Card>
    </section>
  );
}
