import { useTranslation } from "react-i18next";
import { Notice } from "../ui/Notice.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import type { PromotionState } from "./usePromotion.ts";

/** Who invites and what it saves, or why the code does not count. */
export function PromotionNotice({ state }: { state: PromotionState }) {
  const { t } = useTranslation();
  if (state.status === "none" || state.status === "unknown") return null;
  if (state.status === "loading") return <Skeleton count={1} className="mb-6 h-[41px]" />;
  return (
    <div className="mb-6">
      <Notice>
        {state.status === "refused" && t(`errors.${state.reason}`)}
        {state.status === "refused" && <span className="block">{t("newProject.promotion.without")}</span>}
        {state.status === "offered" && <Offer {...state.promotion} />}
      </Notice>
    </div>
  );
}

function Offer({
  inviter,
  percent_off: percent,
  duration,
}: {
  inviter: string;
  percent_off: number;
  duration: "once" | "forever";
}) {
  const { t } = useTranslation();
  return (
    <>
      {inviter ? `${t("newProject.promotion.from", { inviter })} ` : ""}
      {t(`newProject.promotion.${duration}`, { percent })}
    </>
  );
}
