import { useTranslation } from "react-i18next";

/** Shown before the first screen: empty, so that nothing flashes, unless there is something to say. */
export function Splash({ isUnreachable }: { isUnreachable: boolean }) {
  const { t } = useTranslation();
  if (!isUnreachable) return null;
  return (
    <main className="grid min-h-dvh place-items-center p-6 text-center text-ink-2">
      <p role="status">{t("connection.unreachable")}</p>
    </main>
  );
}
