import type { Project } from "@nido/contract";
import { Lock, LockOpen } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { PasswordDialog } from "./PasswordDialog.tsx";

/** Whether visitors of a static site need a password. */
export function SitePassword({ project }: { project: Project }) {
  const { t } = useTranslation();
  const [isAsked, setIsAsked] = useState(false);
  const isOn = project.passwords?.includes("") ?? false;
  const Icon = isOn ? Lock : LockOpen;
  return (
    <section className="mb-9">
      <h2 className="mb-3 text-section font-[640]">{t("project.password.title")}</h2>
      <Card className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 px-5 py-4">
        <p className="flex min-w-0 items-center gap-3">
          <Icon className="size-4 shrink-0 text-ink-3" aria-hidden="true" />
          {t(isOn ? "project.password.on" : "project.password.off")}
        </p>
        <Button size="small" onClick={() => setIsAsked(true)}>
          {t(isOn ? "project.password.change" : "project.password.set")}
        </Button>
      </Card>
      {isAsked && <PasswordDialog project={project} onClose={() => setIsAsked(false)} />}
    </section>
  );
}
