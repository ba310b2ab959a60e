import { useTranslation } from "react-i18next";
import { SiteNameStep } from "./SiteNameStep.tsx";

export function WpNameScreen() {
  const { t } = useTranslation();
  return <SiteNameStep step={t("newProject.step", { step: 1 })} category="wordpress" />;
}
