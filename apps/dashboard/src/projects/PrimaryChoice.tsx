import { categoryOf, type Domain, mainBranch, type Project } from "@nido/contract";
import { useTranslation } from "react-i18next";
import { useAction } from "../state/store.ts";
import { useErrorText } from "../state/useErrorText.ts";
import { Button } from "../ui/Button.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";

/** Makes this domain the primary one. The other domains of a WordPress site redirect to it. */
export function PrimaryChoice({ project, id, domain }: { project: Project; id: string; domain: Domain }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { trigger, inProgress, error } = useAction("SET_PRIMARY_DOMAIN");
  const isStatic = categoryOf(project.recipe) === "static";
  // A static site that has domains of its own uses one of them.
  const isPlain = !domain.controlled && !domain.redirects_to && domain.branch === mainBranch;
  if (domain.primary || (isStatic && !isPlain)) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Button
        size="small"
        busy={inProgress}
        aria-label={t("project.primary.chooseName", { domain: domain.name })}
        onClick={() => trigger({ project_id: project.id, domain_id: id })}
      >
        {t("project.primary.choose")}
      </Button>
      <p className="min-w-0 flex-1 basis-[260px] text-small text-ink-3">
        {t(isStatic ? "project.primary.hintStatic" : "project.primary.hint")}
      </p>
      {error && <ErrorBox>{errorText(error.error)}</ErrorBox>}
    </div>
  );
}
