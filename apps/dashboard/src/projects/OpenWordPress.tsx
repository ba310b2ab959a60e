import { type Project, ssoPath } from "@nido/contract";
import { ImagePlus, LayoutDashboard } from "lucide-react";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { Button } from "../ui/Button.tsx";
import { loadSsoToken } from "./loadSsoToken.ts";

const targets = {
  admin: { icon: LayoutDashboard, label: "openAdmin" },
  media: { icon: ImagePlus, label: "addPhotos" },
} as const;

interface Props {
  project: Pick<Project, "id" | "url">;
  target: keyof typeof targets;
  look?: "primary" | "plain";
  size?: "normal" | "small";
}

/** Opens the site's admin in a new tab. A hidden form posts a single-use token there. */
export function OpenWordPress({ project, target, look = "plain", size = "small" }: Props) {
  const { t } = useTranslation();
  const form = useRef<HTMLFormElement>(null);
  const [token, setToken] = useState("");
  const [state, setState] = useState<"ready" | "opening" | "failed">("ready");
  const { icon: Icon, label } = targets[target];

  async function open() {
    setState("opening");
    try {
      const answer = await loadSsoToken(project.id);
      // Browsers block a new tab when the click is too long ago.
      if (!navigator.userActivation.isActive) throw new Error("The single sign-on token came too late to open a tab");
      flushSync(() => setToken(answer.token));
      form.current?.submit();
      setState("ready");
    } catch (error) {
      console.error(`Single sign-on for project ${project.id} failed`, error);
      setState("failed");
    }
  }

  return (
    <div>
      <Button look={look} size={size} busy={state === "opening"} onClick={open}>
        <Icon className="size-4" aria-hidden="true" />
        {t(`project.${label}`)}
      </Button>
      <p aria-live="polite" className="text-small text-red">
        {state === "failed" && t("project.ssoFailed")}
      </p>
      <form ref={form} hidden method="post" action={`${project.url}${ssoPath}`} target="_blank" rel="noopener">
        <input type="hidden" name="token" value={token} />
        {target === "media" && <input type="hidden" name="media" value="1" />}
      </form>
    </div>
  );
}
