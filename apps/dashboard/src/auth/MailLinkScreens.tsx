import type { ErrorKey } from "@nido/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { ApiError, api, post } from "../api/api.ts";
import { paths, serverPaths } from "../paths.ts";
import { Button, ButtonLink } from "../ui/Button.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Notice } from "../ui/Notice.tsx";
import { AuthCard } from "./AuthCard.tsx";

export function ConfirmEmailScreen() {
  const { t } = useTranslation();
  return (
    <MailLink
      title={t("mailLinks.confirmTitle")}
      text={t("mailLinks.confirmText")}
      button={t("mailLinks.confirm")}
      done={t("mailLinks.confirmed")}
      act={(token) => api(serverPaths.confirmEmail, post({ token }))}
    />
  );
}

export function UndoEmailScreen() {
  const { t } = useTranslation();
  return (
    <MailLink
      title={t("mailLinks.undoTitle")}
      text={t("mailLinks.undoText")}
      button={t("mailLinks.undo")}
      done={t("mailLinks.undone")}
      act={(token) => api(serverPaths.undoEmail, post({ token }))}
    />
  );
}

export function UnsubscribeScreen() {
  const { t } = useTranslation();
  return (
    <MailLink
      title={t("mailLinks.unsubscribeTitle")}
      text={t("mailLinks.unsubscribeText")}
      button={t("mailLinks.unsubscribe")}
      done={t("mailLinks.unsubscribed")}
      act={(token) => api(serverPaths.unsubscribe(token), { method: "POST" })}
    />
  );
}

interface Props {
  title: string;
  text: string;
  button: string;
  done: string;
  act(token: string): Promise<unknown>;
}

/** A page that a message links to. It acts on a click, because mail programs open links by themselves. */
function MailLink({ title, text, button, done, act }: Props) {
  const { t } = useTranslation();
  const [query] = useSearchParams();
  const [state, setState] = useState<"ready" | "busy" | "done" | ErrorKey>("ready");

  async function run() {
    setState("busy");
    try {
      await act(query.get("token") ?? "");
      setState("done");
    } catch (error) {
      setState(error instanceof ApiError ? error.key : "error_network");
    }
  }

  if (state === "done")
    return (
      <AuthCard title={title}>
        <Notice>{done}</Notice>
        <ButtonLink to={paths.projects} reloadDocument className="mt-5">
          {t("mailLinks.home")}
        </ButtonLink>
      </AuthCard>
    );
  return (
    <AuthCard title={title} intro={text}>
      <div className="flex flex-col items-start gap-4">
        <Button look="primary" busy={state === "busy"} onClick={run}>
          {state === "busy" ? t("mailLinks.working") : button}
        </Button>
        {state !== "ready" && state !== "busy" && <ErrorBox>{t(`errors.${state}`)}</ErrorBox>}
      </div>
    </AuthCard>
  );
}
