import { categoryOf, type Project, type TrafficPoint, type TrafficRange, trafficRanges } from "@nido/contract";
import { useCallback, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { api } from "../api/api.ts";
import { useCall } from "../api/useCall.ts";
import { formatBytes } from "../i18n/bytes.ts";
import { formatStep } from "../i18n/format.ts";
import { currentLanguage } from "../i18n/language.ts";
import { serverPaths } from "../paths.ts";
import { BarChart } from "../ui/BarChart.tsx";
import { Button } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Segments } from "../ui/Segments.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";

const refreshMs = 60_000;

/** Visits, bandwidth and PHP time of a site. */
export function TrafficCharts({ project }: { project: Project }) {
  const { t } = useTranslation();
  const [range, setRange] = useState<TrafficRange>("day");
  const load = useCallback(
    (signal: AbortSignal) => api<TrafficPoint[]>(serverPaths.traffic(project.id, range), { signal }),
    [project.id, range],
  );
  const traffic = useCall(load);
  const { retry } = traffic;
  useEffect(() => {
    const timer = setInterval(retry, refreshMs);
    return () => clearInterval(timer);
  }, [retry]);
  return (
    <section className="mb-9">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-section font-[640]">{t("project.traffic.title")}</h2>
        <Segments<TrafficRange>
          label={t("project.traffic.range")}
          value={range}
          options={trafficRanges.map((value) => ({ value, label: t(`project.traffic.ranges.${value}`) }))}
          onChange={setRange}
        />
      </div>
      <Card className="p-5">
        {traffic.status === "loading" && <Skeleton count={1} className="h-[220px]" />}
        {traffic.status === "failed" && (
          <div className="flex flex-col items-start gap-3">
            <ErrorBox>{t("project.traffic.failed")}</ErrorBox>
            <Button onClick={retry}>{t("common.retry")}</Button>
          </div>
        )}
        {traffic.status === "done" && (
          <Charts points={traffic.answer} range={range} hasPhp={categoryOf(project.recipe) === "wordpress"} />
        )}
      </Card>
    </section>
  );
}

function Charts({ points, range, hasPhp }: { points: TrafficPoint[]; range: TrafficRange; hasPhp: boolean }) {
  const { t } = useTranslation();
  const lang = currentLanguage();
  const sumOf = (name: Exclude<keyof TrafficPoint, "at">) => points.reduce((sum, point) => sum + point[name], 0);
  const number = (value: number) =>
    new Intl.NumberFormat(lang, { notation: "compact", maximumFractionDigits: 1 }).format(value);
  const bytes = (value: number) => formatBytes(value, lang);
  const seconds = (ms: number) =>
    new Intl.NumberFormat(lang, { style: "unit", unit: "second", maximumFractionDigits: 1 }).format(ms / 1000);
  const charts = [
    { name: "visits", format: number },
    { name: "bytes", format: bytes },
    ...(hasPhp ? [{ name: "php_ms", format: seconds } as const] : []),
  ] as const;
  return (
    <>
      <div className={`grid grid-cols-1 gap-8 ${hasPhp ? "lg:grid-cols-3" : "lg:grid-cols-2"}`}>
        {charts.map(({ name, format }) => (
          <BarChart
            key={name}
            title={t(`project.traffic.${name}`)}
            total={format(sumOf(name))}
            points={points.map((point) => ({ at: point.at, value: point[name] }))}
            format={format}
            formatAt={(at) => formatStep(at, range, lang)}
          />
        ))}
      </div>
      <p className="mt-4 text-small text-ink-3">
        {t("project.traffic.more", { views: number(sumOf("views")), bots: number(sumOf("bots")) })}
      </p>
    </>
  );
}
