import { useTranslation } from "react-i18next";

const registrars = ["ionos", "godaddy", "namecheap", "cloudflare", "ovh"] as const;

/** Where the records are entered at the registrars that most customers use. */
export function RegistrarGuide() {
  const { t } = useTranslation();
  return (
    <details className="mt-4 text-small">
      <summary className="cursor-pointer text-ink-2 hover:text-ink">{t("project.registrars.title")}</summary>
      <dl className="mt-2 space-y-2">
        {registrars.map((registrar) => (
          <div key={registrar}>
            <dt className="font-[600]">{t(`project.registrars.${registrar}.name`)}</dt>
            <dd className="max-w-[65ch] text-ink-2">{t(`project.registrars.${registrar}.text`)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
