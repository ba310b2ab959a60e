import { SiteNameStep } from "./SiteNameStep.tsx";

export function StaticNameScreen() {
  return <SiteNameStep category="static" />;
}
