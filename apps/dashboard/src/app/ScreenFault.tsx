import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useRouteError } from "react-router";
import { Button } from "../ui/Button.tsx";
import { Page } from "../ui/Page.tsx";
import { MissingChunk } from "./loadChunk.ts";

const storageKey = "reloaded";
const pauseMs = 60_000;

/** A screen's error boundary; the frame around it stays. After a deploy of the dashboard it loads the new version, once. */
export function ScreenFault() {
  const { t } = useTranslation();
  const error = useRouteError();
  const willReload = error instanceof MissingChunk && !hasReloaded();
  useEffect(() => {
    if (!willReload) return;
    sessionStorage.setItem(storageKey, String(Date.now()));
    location.reload();
  }, [willReload]);
  if (willReload) return null;
  return (
    <div role="alert" className="mx-auto max-w-[1180px]">
      <Page title={t("crash.title")} intro={t("crash.text")}>
        <Button look="primary" onClick={() => location.reload()}>
          {t("crash.reload")}
        </Button>
      </Page>
    </div>
  );
}

function hasReloaded(): boolean {
  return Date.now() - Number(sessionStorage.getItem(storageKey)) < pauseMs;
}

/** Until the first screen is loaded. */
export function ScreenLoading() {
  const { t } = useTranslation();
  return (
    <p role="status" className="sr-only">
      {t("common.loading")}
    </p>
  );
}
