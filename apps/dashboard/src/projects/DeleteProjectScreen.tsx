import type { Project } from "@nido/contract";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate, useSearchParams } from "react-router";
import { paths } from "../paths.ts";
import { useAction, useProject } from "../state/store.ts";
import { useErrorText } from "../state/useErrorText.ts";
import { useWhenDone } from "../state/useWhenDone.ts";
import { Button } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Field } from "../ui/Field.tsx";
import { Page } from "../ui/Page.tsx";

const confirmationMaxLength = 15;

export function DeleteProjectScreen() {
  const [query] = useSearchParams();
  const id = query.get("project") ?? "";
  return <DeleteProject key={id} id={id} />;
}

function DeleteProject({ id }: { id: string }) {
  const { t } = useTranslation();
  const known = useProject(id);
  // It vanishes from the state a moment before the screen is left.
  const [project] = useState(known);
  const back = {
    to: project ? paths.projectTab(project.id, "configuration") : paths.projects,
    label: t("common.back"),
  };
  if (!project) return <Page title={t("project.deleteTitle")} intro={t("project.chooseFirst")} back={back} />;
  return (
    <Page title={t("project.deleteTitle")} intro={t("project.deleteAsk", { name: project.name })} back={back}>
      <DeleteForm project={project} />
    </Page>
  );
}

function DeleteForm({ project }: { project: Project }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const errorText = useErrorText();
  const action = useAction("DELETE_PROJECT");
  const { trigger, inProgress, error } = action;
  useWhenDone(action, () => navigate(paths.projects, { replace: true, state: { deleted: project.name } }));
  const [typed, setTyped] = useState("");
  const isConfirmed = typed === project.name;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (isConfirmed) trigger({ id: project.id });
  }

  return (
    <Card className="max-w-[620px] p-6">
      <ul className="mb-6 list-disc space-y-1.5 pl-5 text-ink-2">
        <li>{t("project.deleteEffects.site")}</li>
        <li>{t("project.deleteEffects.subscription")}</li>
        <li>{t("project.deleteEffects.refund")}</li>
        <li>{t("project.deleteEffects.undo")}</li>
      </ul>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field
          label={t("project.deleteConfirm", { name: project.name })}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          maxLength={Math.max(confirmationMaxLength, project.name.length)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        {error && <ErrorBox>{errorText(error.error)}</ErrorBox>}
        <Button type="submit" look="danger" busy={inProgress} disabled={!isConfirmed} className="self-start">
          {t(inProgress ? "project.deleting" : "project.deleteDo")}
        </Button>
      </form>
    </Card>
  );
}
