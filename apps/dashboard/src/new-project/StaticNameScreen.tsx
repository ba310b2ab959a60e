import { paths } from "../app/paths.ts";
import { SiteNameStep } from "./SiteNameStep.tsx";

export function StaticNameScreen() {
  return <SiteNameStep next={paths.purchase} />;
}
