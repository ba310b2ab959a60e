import { useTranslation } from "react-i18next";

/** Shown before the first screen while the server is unreachable. */
export function Splash() {
  const { t } = useTranslation();
  return (
    <main className="grid min-h-dvh place-items-center p-6 text-center text-ink-2">
      <p role="status">{t("connection.unreachable")}</p>
    </main>
  );
}

/** In both languages, because the texts may be the chunk that failed to load. */
export function StartFailed() {
  return (
    <main role="alert" className="grid min-h-dvh place-content-center gap-3 p-6 text-center text-ink-2">
      <p lang="es">No se ha podido cargar la página.</p>
      <p lang="en">The page could not be loaded.</p>
      <button type="button" onClick={() => location.reload()} className="font-[600] text-brand underline">
        <span lang="es">Recargar</span> · <span lang="en">Reload</span>
      </button>
    </main>
  );
}
