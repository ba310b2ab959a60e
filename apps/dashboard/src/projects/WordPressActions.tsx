import { type Project, ssoPath } from "@nido/contract";
import { ImagePlus, LayoutDashboard } from "lucide-react";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { Button } from "../ui/Button.tsx";
import { Row, Rows } from "../ui/Rows.tsx";
import { loadSsoToken } from "./loadSsoToken.ts";

const targets = {
  admin: { icon: LayoutDashboard, label: "admin", button: "openAdmin", text: "openAdminText" },
  media: { icon: ImagePlus, label: "media", button: "addPhotos", text: "addPhotosText" },
} as const;
type Target = keyof typeof targets;

/** Opens the site's admin in a new tab. A hidden form posts a single-use token there. */
export function WordPressActions({ project }: { project: Project }) {
  const { t } = useTranslation();
  const form = useRef<HTMLFormElement>(null);
  const [sending, setSending] = useState<{ token: string; target: Target }>();
  const [state, setState] = useState<Target | "ready" | "failed">("ready");

  async function open(target: Target) {
    setState(target);
    try {
      const { token } = await loadSsoToken(project.id);
      // Browsers block a new tab when the click is too long ago.
      if (!navigator.userActivation.isActive) throw new Error("The single sign-on token came too late to open a tab");
      flushSync(() => setSending({ token, target }));
      form.current?.submit();
      setState("ready");
    } catch (error) {
      console.error(`Single sign-on for project ${project.id} failed`, error);
      setState("failed");
    }
  }

  return (
    <>
      <Rows title={t("project.wordpress")}>
        {(Object.keys(targets) as Target[]).map((target) => {
          const { icon: Icon, label, button, text } = targets[target];
          return (
            <Row
              key={target}
              label={t(`project.${label}`)}
              action={
                <Button size="small" busy={state === target} disabled={state in targets} onClick={() => open(target)}>
                  <Icon className="size-4" aria-hidden="true" />
                  {t(`project.${button}`)}
                </Button>
              }
            >
              <span className="font-normal text-ink-2">{t(`project.${text}`)}</span>
            </Row>
          );
        })}
      </Rows>
      <p role="status" className="-mt-6 text-small text-red">
        {state === "failed" && t("project.ssoFailed")}
      </p>
      <form ref={form} hidden method="post" action={`${project.url}${ssoPath}`} target="_blank" rel="noopener">
        <input type="hidden" name="token" value={sending?.token ?? ""} />
        {sending?.target === "media" && <input type="hidden" name="media" value="1" />}
      </form>
    </>
  );
}
