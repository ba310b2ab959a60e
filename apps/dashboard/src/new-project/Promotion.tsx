import type { Referral } from "@nido/contract";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { api } from "../api/api.ts";
import { useCall } from "../api/useCall.ts";
import { serverPaths } from "../paths.ts";
import { useUser } from "../state/store.ts";
import { Notice } from "../ui/Notice.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";

/** The promotional code's discount. Shows nothing for an invalid code: the purchase explains why it is refused. */
export function Promotion({ code }: { code: string }) {
  const { t } = useTranslation();
  const { refcode } = useUser();
  const load = useCallback(
    (signal: AbortSignal) => api<Referral["info"]>(serverPaths.promotion(code), { signal }),
    [code],
  );
  const promotion = useCall(load);
  if (promotion.status === "loading") return <Skeleton count={1} className="mb-6 h-[41px]" />;
  if (promotion.status === "failed" || refcode === code) return null;
  const { percent_off: percent, duration } = promotion.answer;
  return (
    <div className="mb-6">
      <Notice>{t(`newProject.promotion.${duration}`, { percent })}</Notice>
    </div>
  );
}
