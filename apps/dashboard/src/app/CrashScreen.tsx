import { useTranslation } from "react-i18next";
import { Button } from "../ui/Button.tsx";

/** The error boundary of the frame itself. */
export function CrashScreen() {
  const { t } = useTranslation();
  return (
    <main role="alert" className="mx-auto max-w-[44ch] px-6 py-24 text-center">
      <h1 className="text-title font-[680] tracking-[-0.022em]">{t("crash.title")}</h1>
      <p className="mt-2 mb-6 text-ink-2">{t("crash.text")}</p>
      <Button look="primary" onClick={() => location.reload()}>
        {t("crash.reload")}
      </Button>
    </main>
  );
}
