import { useTranslation } from "react-i18next";
import { CopyLine } from "./CopyLine.tsx";

/** The commands that publish a static site, one line once something was published. Shown on its project's page and after its purchase. */
export function CliGuide({ project, isFolded = false }: { project: string; isFolded?: boolean }) {
  const { t } = useTranslation();
  const steps = [
    { label: t("guide.install"), command: `npm install -g ${location.origin}/cli/nido.tgz` },
    { label: t("guide.login"), command: "nido login" },
    { label: t("guide.config"), command: JSON.stringify({ project, folder: "dist" }, null, 2) },
    { label: t("guide.publish"), command: "nido publish" },
  ];
  return (
    <details open={!isFolded}>
      <summary className="mb-3 cursor-pointer text-section font-[640]">
        <h2 className="inline">{t("guide.title")}</h2>
      </summary>
      <ol className="space-y-4 rounded-card border border-line bg-surface p-5">
        {steps.map(({ label, command }, index) => (
          <li key={label} className="flex gap-4">
            <span className="mt-0.5 text-small font-[600] text-ink-3">{index + 1}</span>
            <div className="min-w-0 flex-1">
              <p className="mb-1.5">{label}</p>
              <CopyLine text={command} label={label} />
            </div>
          </li>
        ))}
      </ol>
    </details>
  );
}
