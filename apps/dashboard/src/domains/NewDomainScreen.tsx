import { counterpartOf, domainMaxLength, type Project, toDomainHost, typedHost } from "@nido/contract";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate, useSearchParams } from "react-router";
import { paths } from "../paths.ts";
import { useAction, useProject } from "../state/store.ts";
import { useErrorText } from "../state/useErrorText.ts";
import { useWhenDone } from "../state/useWhenDone.ts";
import { Button } from "../ui/Button.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Field } from "../ui/Field.tsx";
import { Page } from "../ui/Page.tsx";

interface NavigationState {
  /** where the new domain's records are shown, if that is not the previous screen */
  nextPath?: string;
}

export function NewDomainScreen() {
  const { t } = useTranslation();
  const [query] = useSearchParams();
  const project = useProject(query.get("project") ?? "");
  const back = {
    to: project ? paths.projectTab(project.id, "configuration") : paths.projects,
    label: t("common.back"),
  };
  if (!project) return <Page title={t("domains.newTitle")} intro={t("domains.chooseFirst")} back={back} />;
  return (
    <Page title={t("domains.newTitle")} intro={t("domains.newIntro", { project: project.name })} back={back}>
      <NewDomainForm project={project} />
    </Page>
  );
}

function NewDomainForm({ project }: { project: Project }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const errorText = useErrorText();
  const action = useAction("NEW_DOMAIN");
  const { trigger, inProgress, error, reset } = action;
  const { nextPath } = (useLocation().state ?? {}) as NavigationState;
  useWhenDone(action, () => (nextPath ? navigate(nextPath, { replace: true }) : navigate(-1)));
  const [domain, setDomain] = useState("");
  const [isBoth, setIsBoth] = useState(true);
  const typed = typedHost(domain).toLowerCase();
  const other = toDomainHost(domain) && counterpartOf(typed);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (domain.trim()) trigger({ project_id: project.id, domain, ...(other && isBoth && { with_counterpart: true }) });
  }

  return (
    <form onSubmit={submit} className="flex max-w-[520px] flex-col gap-4">
      <Field
        label={t("domains.label")}
        placeholder={t("domains.placeholder")}
        value={domain}
        onChange={({ target }) => {
          setDomain(target.value);
          if (error) reset();
        }}
        maxLength={domainMaxLength}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        inputMode="url"
      />
      {other && (
        <label className="flex items-start gap-2.5 text-small">
          <input
            type="checkbox"
            checked={isBoth}
            onChange={({ target }) => setIsBoth(target.checked)}
            className="mt-0.5 size-4 accent-brand"
          />
          <span className="break-all">{t("domains.withCounterpart", { other, domain: typed })}</span>
        </label>
      )}
      {error && <ErrorBox>{errorText(error.error)}</ErrorBox>}
      <Button type="submit" look="primary" busy={inProgress} disabled={domain.trim() === ""} className="self-start">
        {t(inProgress ? "domains.adding" : "domains.add")}
      </Button>
    </form>
  );
}
