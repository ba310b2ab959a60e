import { LifeBuoy } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useSettings } from "../state/store.ts";
import { ButtonAnchor } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";

export function SupportTab() {
  const { t } = useTranslation();
  const { support_email: email } = useSettings();
  const link = <ButtonAnchor href={`mailto:${email}`}>{t("settings.supportLink", { email })}</ButtonAnchor>;
  return (
    <EmptyState icon={LifeBuoy} title={t("settings.supportTitle")} action={link}>
      {t("settings.supportText")}
    </EmptyState>
  );
}
