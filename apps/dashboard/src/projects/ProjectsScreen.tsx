import { LayoutGrid, Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation, useSearchParams } from "react-router";
import { containsWords } from "../i18n/containsWords.ts";
import { paths } from "../paths.ts";
import { useProjects } from "../state/store.ts";
import { Button, ButtonLink } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { Notice } from "../ui/Notice.tsx";
import { Page } from "../ui/Page.tsx";
import { AnnouncementCard } from "./AnnouncementCard.tsx";
import { NewsCard } from "./NewsCard.tsx";
import { PendingPurchases } from "./PendingPurchases.tsx";
import { ProjectCard } from "./ProjectCard.tsx";
import { SearchField } from "./SearchField.tsx";

export function ProjectsScreen() {
  const { t } = useTranslation();
  const projects = Object.values(useProjects());
  const { deleted } = (useLocation().state ?? {}) as { deleted?: string };
  const create = (
    <ButtonLink look="primary" to={paths.selectCategory}>
      <Plus className="size-[18px]" aria-hidden="true" />
      {t("projects.create")}
    </ButtonLink>
  );
  return (
    <Page title={t("projects.title")} intro={t("projects.intro")} action={projects.length > 0 && create}>
      {deleted && !projects.some(({ name }) => name === deleted) && (
        <div className="mb-6">
          <Notice>
            {t("projects.deleted", { name: deleted })}{" "}
            <Link to={paths.settingsTab("activity")} className="font-[560] underline">
              {t("projects.deletedUndo")}
            </Link>
          </Notice>
        </div>
      )}
      <PendingPurchases />
      {projects.length > 0 ? (
        <ProjectGrid projects={projects} />
      ) : (
        <EmptyState icon={LayoutGrid} title={t("projects.emptyTitle")} action={create}>
          {t("projects.emptyText")}
        </EmptyState>
      )}
      <div className="mt-9 grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
        <NewsCard />
        <AnnouncementCard />
      </div>
    </Page>
  );
}

function ProjectGrid({ projects }: { projects: Parameters<typeof ProjectCard>[0]["project"][] }) {
  const { t } = useTranslation();
  const [query, setQuery] = useSearchParams();
  // Kept in state: the router updates the address too late for a controlled input, and fast typing would lose keys.
  const [text, setText] = useState(query.get("q") ?? "");
  const found = projects.filter(({ name, recipe, domains }) =>
    containsWords(
      [name, t(`recipes.${recipe}`), ...Object.values(domains).map((domain) => domain.name)].join(" "),
      text,
    ),
  );

  function search(typed: string) {
    setText(typed);
    const next = new URLSearchParams(query);
    if (typed) next.set("q", typed);
    else next.delete("q");
    setQuery(next, { replace: true, preventScrollReset: true });
  }

  return (
    <>
      <SearchField label={t("projects.search")} value={text} onChange={search} />
      <ul className="mt-4 grid grid-cols-1 gap-4 sm:grid-cols-2 xl:grid-cols-3 2xl:grid-cols-4">
        {found.map((project) => (
          <li key={project.id}>
            <ProjectCard project={project} />
          </li>
        ))}
      </ul>
      <div role="status">
        {found.length === 0 && (
          <div className="flex flex-wrap items-center gap-4 py-6 text-ink-2">
            <p className="min-w-0 break-words">{t("projects.noMatch", { text: text.trim() })}</p>
            <Button size="small" onClick={() => search("")}>
              {t("projects.clearSearch")}
            </Button>
          </div>
        )}
      </div>
    </>
  );
}
