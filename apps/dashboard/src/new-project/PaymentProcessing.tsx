import { useTranslation } from "react-i18next";
import { paths } from "../paths.ts";
import { ButtonLink } from "../ui/Button.tsx";
import { Page } from "../ui/Page.tsx";

/** Shown after a payment that takes days. */
export function PaymentProcessing({ name }: { name: string }) {
  const { t } = useTranslation();
  return (
    <Page title={t("newProject.processingTitle")} intro={t("newProject.processingText", { name })}>
      <ButtonLink look="primary" to={paths.projects}>
        {t("newProject.close")}
      </ButtonLink>
    </Page>
  );
}
