import type { Project } from "@nido/contract";
import { ExternalLink } from "lucide-react";
import { useTranslation } from "react-i18next";
import { toneClasses } from "../ui/Badge.tsx";
import { recipeLook } from "../ui/recipeLook.ts";

/** How the site looks; a drawing until there is a picture of it. It opens the site. */
export function SitePicture({ project }: { project: Project }) {
  const { t } = useTranslation();
  const { icon: Icon, tone } = recipeLook(project.recipe);
  return (
    <a
      href={project.address}
      target="_blank"
      rel="noreferrer"
      className="group block overflow-hidden rounded-card border border-line bg-surface"
    >
      <span className="flex h-9 items-center gap-1.5 border-b border-line bg-sunken px-3">
        {["one", "two", "three"].map((dot) => (
          <span key={dot} className="size-2.5 rounded-full bg-line-strong" />
        ))}
        <span className="ml-2 min-w-0 flex-1 truncate rounded-full bg-surface px-3 font-mono text-[0.75rem] leading-[22px] text-ink-2">
          {new URL(project.address).host}
        </span>
        <span className="sr-only">{t("project.newTab")}</span>
        <ExternalLink className="size-3.5 text-ink-3 group-hover:text-ink" aria-hidden="true" />
      </span>
      <span className="grid aspect-[16/9] place-items-center bg-background">
        {project.picture ? (
          <img src={project.picture} alt="" className="size-full object-cover object-top" />
        ) : (
          <span className={`grid size-20 place-items-center rounded-[22px] ${toneClasses(tone)}`}>
            <Icon className="size-9" aria-hidden="true" />
          </span>
        )}
      </span>
    </a>
  );
}
