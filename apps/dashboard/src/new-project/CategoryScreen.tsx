import { FileCode, Globe } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { paths } from "../paths.ts";
import { Page } from "../ui/Page.tsx";
import { useCheckoutDraft } from "./useCheckoutDraft.ts";

const categories = [
  { category: "wordpress", icon: Globe },
  { category: "static", icon: FileCode },
] as const;

export function CategoryScreen() {
  const { t } = useTranslation();
  const draft = useCheckoutDraft();
  return (
    <Page
      title={t("newProject.categoryTitle")}
      intro={t("newProject.categoryIntro")}
      back={{ to: paths.projects, label: t("projects.backToProjects") }}
    >
      <ul className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        {categories.map(({ category, icon: Icon }) => (
          <li key={category}>
            <Link
              to={draft.with({ category }).pathTo("newProject")}
              className="block h-full rounded-card border border-line bg-surface p-6 transition-colors duration-150 hover:border-line-strong"
            >
              <span className="mb-4 grid size-11 place-items-center rounded-[12px] bg-brand-soft text-brand">
                <Icon className="size-5" aria-hidden="true" />
              </span>
              <span className="block text-section font-[640]">{t(`newProject.${category}`)}</span>
              <span className="mt-1 block text-ink-2">{t(`newProject.${category}Text`)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Page>
  );
}
