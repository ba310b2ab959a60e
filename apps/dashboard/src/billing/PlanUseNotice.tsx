import { categoryOf, fittingRecipe, type PlanPage, type Project, recipes } from "@nido/contract";
import { useTranslation } from "react-i18next";
import { formatBytes } from "../i18n/bytes.ts";
import { currentLanguage } from "../i18n/language.ts";
import { useSubscriptions } from "../state/store.ts";
import { Row, Rows } from "../ui/Rows.tsx";

/** What a site has used, and which plan is enough for that. */
export function PlanUseNotice({ project, page }: { project: Project; page: PlanPage }) {
  const { t } = useTranslation();
  const { use } = page;
  const lang = currentLanguage();
  const count = new Intl.NumberFormat(lang).format(use.visits);
  const isWordPress = categoryOf(project.recipe) === "wordpress";
  const advice = useAdvice(project, page);
  return (
    <Rows title={t("plan.use")}>
      <Row label={t("project.disk")}>{formatBytes(use.disk, lang)}</Row>
      {isWordPress && (
        <>
          <Row label={t("plan.memory")}>
            {use.memory === undefined ? t("plan.notMeasured") : t("plan.megabytes", { count: use.memory })}
            <span className="block text-small font-normal text-ink-2">{t("plan.memoryNote")}</span>
          </Row>
          <Row label={t("plan.php")}>
            {formatMinutes(use.php_seconds, lang)}
            <span className="block text-small font-normal text-ink-2">{t("plan.phpUnlimited")}</span>
          </Row>
        </>
      )}
      <Row label={t("plan.visits")}>
        {count}
        <span className="block text-small font-normal text-ink-2">{t("plan.unlimited")}</span>
      </Row>
      {isWordPress && <Row label={t("plan.fit")}>{advice}</Row>}
    </Rows>
  );
}

/** What a site needs is known after some days only. */
const measuredSeconds = 7 * 24 * 60 * 60;

/** In a sentence, also when a smaller plan would do. */
function useAdvice({ recipe, sub_id }: Project, { use, has_staging }: PlanPage): string {
  const { t } = useTranslation();
  const created = useSubscriptions()[sub_id]?.created ?? 0;
  if (use.memory === undefined || Date.now() / 1000 - created < measuredSeconds) return t("plan.fits.unknown");
  const enough = fittingRecipe(use, has_staging);
  if (!enough) return t("plan.fits.none");
  const plan = t(`recipes.${enough}`);
  if (enough === recipe) return t("plan.fits.same");
  return t(recipes.indexOf(enough) < recipes.indexOf(recipe) ? "plan.fits.smaller" : "plan.fits.larger", { plan });
}

function formatMinutes(seconds: number, lang: string): string {
  const unit = seconds < 120 ? "second" : "minute";
  const value = unit === "second" ? seconds : Math.round(seconds / 60);
  return new Intl.NumberFormat(lang, { style: "unit", unit, unitDisplay: "long" }).format(value);
}
