import { useTranslation } from "react-i18next";
import { useLocation, useSearchParams } from "react-router";
import { DataTab } from "../account/DataTab.tsx";
import { GeneralTab } from "../account/GeneralTab.tsx";
import { SecurityTab } from "../account/SecurityTab.tsx";
import { SupportTab } from "../account/SupportTab.tsx";
import { ActivityLog } from "../activity/ActivityLog.tsx";
import { ProductsTab } from "../billing/ProductsTab.tsx";
import { paths } from "../paths.ts";
import { ReferralsTab } from "../referrals/ReferralsTab.tsx";
import { LinkTabs } from "../ui/LinkTabs.tsx";
import { Page } from "../ui/Page.tsx";

const tabs = {
  general: GeneralTab,
  security: SecurityTab,
  products: ProductsTab,
  referrals: ReferralsTab,
  activity: ActivityLog,
  data: DataTab,
  support: SupportTab,
};
type Tab = keyof typeof tabs;
const names = Object.keys(tabs) as Tab[];

export function SettingsScreen() {
  const { t } = useTranslation();
  const current = useCurrentTab();
  const Content = tabs[current];
  return (
    <Page title={t("settings.title")}>
      <LinkTabs
        label={t("settings.title")}
        tabs={names.map((tab) => ({
          to: paths.settingsTab(tab),
          label: t(`settings.tabs.${tab}`),
          isCurrent: tab === current,
        }))}
      />
      <Content />
    </Page>
  );
}

function useCurrentTab(): Tab {
  const [query] = useSearchParams();
  const { pathname } = useLocation();
  if (pathname === paths.settingsReferrals) return "referrals";
  return names.find((name) => name === query.get("tab")) ?? "general";
}
