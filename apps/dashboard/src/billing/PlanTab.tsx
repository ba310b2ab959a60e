import { type Interval, intervals, type PlanOffer, type PlanPage, type Project } from "@nido/contract";
import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { api } from "../api/api.ts";
import { useCall } from "../api/useCall.ts";
import { serverPaths } from "../paths.ts";
import { useSubscriptions } from "../state/store.ts";
import { Button } from "../ui/Button.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Segments } from "../ui/Segments.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { CurrentPlan } from "./CurrentPlan.tsx";
import { PlanChangeDialog } from "./PlanChangeDialog.tsx";
import { PlanOption } from "./PlanOption.tsx";
import { PlanUseNotice } from "./PlanUseNotice.tsx";

/** The project's plan, what the project uses of it, and the plans that it can change to. */
export function PlanTab({ project }: { project: Project }) {
  const { t } = useTranslation();
  // Read again when the plan has changed.
  const key = `${project.recipe} ${useSubscriptions()[project.sub_id]?.plan.interval}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the answer depends on what the key names.
  const load = useCallback(
    (signal: AbortSignal) => api<PlanPage>(serverPaths.plan(project.id), { signal }),
    [project.id, key],
  );
  const page = useCall(load);
  if (page.status === "loading") return <Skeleton count={3} className="mb-4 h-[150px]" />;
  if (page.status === "failed") {
    return (
      <div className="flex flex-col items-start gap-4">
        <ErrorBox>{t("plan.failed")}</ErrorBox>
        <Button onClick={page.retry}>{t("common.retry")}</Button>
      </div>
    );
  }
  return <Loaded key={key} project={project} page={page.answer} onChanged={page.retry} />;
}

function Loaded({ project, page, onChanged }: { project: Project; page: PlanPage; onChanged(): void }) {
  const { t } = useTranslation();
  const current = page.offers.find(({ plan }) => plan.id === page.current);
  const subscription = useSubscriptions()[project.sub_id];
  const [interval, setInterval] = useState<Interval>(current?.plan.interval ?? subscription?.plan.interval ?? "year");
  const [chosen, setChosen] = useState<PlanOffer>();
  const choose = (id: string | undefined) => setChosen(page.offers.find(({ plan }) => plan.id === id));
  const options = page.offers.filter(({ plan }) => plan.interval === interval);
  return (
    <>
      <CurrentPlan project={project} page={page} onUndo={() => choose(page.undo)} />
      <PlanUseNotice project={project} page={page} />
      <section aria-labelledby="plans">
        <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
          <h2 id="plans" className="text-section font-[640]">
            {t("plan.choices")}
          </h2>
          <Segments<Interval>
            label={t("newProject.interval")}
            value={interval}
            options={intervals.map((value) => ({ value, label: t(`newProject.${value}`) }))}
            onChange={setInterval}
          />
        </div>
        {options.length === 0 && <p className="text-ink-2">{t("newProject.plansEmpty")}</p>}
        <ul className="grid grid-cols-1 gap-4 md:grid-cols-2 xl:grid-cols-3">
          {options.map((offer) => (
            <li key={offer.plan.id}>
              <PlanOption
                offer={offer}
                page={page}
                isCurrent={offer.plan.id === page.current}
                onChoose={() => setChosen(offer)}
              />
            </li>
          ))}
        </ul>
      </section>
      {chosen && (
        <PlanChangeDialog
          project={project}
          from={current}
          to={chosen}
          onClose={() => setChosen(undefined)}
          onChanged={onChanged}
        />
      )}
    </>
  );
}
