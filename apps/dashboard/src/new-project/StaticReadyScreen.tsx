import type { CheckoutStatus, Project } from "@nido/contract";
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { api } from "../api/api.ts";
import { useCall } from "../api/useCall.ts";
import { paths, serverPaths } from "../paths.ts";
import { useLatestActivity, useProjects, usePurchases, useSettings } from "../state/store.ts";
import { ButtonLink } from "../ui/Button.tsx";
import { CliGuide } from "../ui/CliGuide.tsx";
import { Page } from "../ui/Page.tsx";
import { Spinner } from "../ui/Spinner.tsx";
import { FirstSteps } from "./FirstSteps.tsx";
import { NoPurchase } from "./NoPurchase.tsx";
import { PaymentProcessing } from "./PaymentProcessing.tsx";
import { useCheckoutDraft } from "./useCheckoutDraft.ts";

const usualWaitMs = 30_000;

interface Props {
  /** publishes the first version from the browser */
  publish(project: Project): ReactNode;
}

/** Shown after the payment. The project appears once the provider's webhook is processed, usually within a second. */
export function StaticReadyScreen({ publish }: Props) {
  const { t } = useTranslation();
  const { domain: name } = useCheckoutDraft();
  const project = Object.values(useProjects()).find((own) => own.name === name);
  const isPending = usePurchases().some((purchase) => purchase.name === name);
  if (!name) return <NoPurchase />;
  if (isPending) return <PaymentProcessing name={name} />;
  if (!project) return <Unconfirmed name={name} />;
  return (
    <Page
      title={t("newProject.staticSuccessTitle")}
      intro={t("newProject.staticSuccessText")}
      back={{ to: paths.projects, label: t("projects.backToProjects") }}
    >
      <div className="max-w-[720px]">
        {publish(project)}
        <FirstSteps
          project={project}
          enter={<ButtonLink to={paths.project(project.id)}>{t("projects.manage")}</ButtonLink>}
        />
        <div className="mt-9">
          <CliGuide project={name} />
        </div>
      </div>
    </Page>
  );
}

function Unconfirmed({ name }: { name: string }) {
  const { t } = useTranslation();
  // Read again when something has happened in the account: what looks expired may have been paid, and is refunded then.
  const activity = useLatestActivity();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the answer depends on the activity, too.
  const load = useCallback(
    (signal: AbortSignal) => api<CheckoutStatus>(serverPaths.checkoutOf(name), { signal }),
    [name, activity],
  );
  const checkout = useCall(load);
  const status = checkout.status === "done" ? checkout.answer : undefined;
  if (status?.state === "none") return <NoPurchase />;
  const back = { to: paths.projects, label: t("projects.backToProjects") };
  if (status?.state === "refunded")
    return <Page title={t("newProject.refundedTitle")} intro={t("newProject.refunded")} back={back} />;
  if (status?.state === "expired" || status?.state === "unpaid") {
    const isUnpaid = status.state === "unpaid";
    return (
      <Page
        title={t(isUnpaid ? "newProject.unpaidTitle" : "newProject.expiredTitle")}
        intro={t(isUnpaid ? "errors.error_purchase_unpaid" : "newProject.expired")}
        back={back}
      >
        <ButtonLink look="primary" to={status.resume}>
          {t("common.retry")}
        </ButtonLink>
      </Page>
    );
  }
  return (
    <Page title={t("newProject.staticWaitingTitle")} back={back}>
      <div className="max-w-[720px]">
        <Waiting />
        <CliGuide project={name} />
      </div>
    </Page>
  );
}

function Waiting() {
  const { t } = useTranslation();
  const { support_email: email } = useSettings();
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLong(true), usualWaitMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role="status" className="mb-6 text-ink-2">
      <p className="flex items-center gap-3">
        <Spinner />
        {t("newProject.staticWaitingText")}
      </p>
      {isLong && (
        <p className="mt-3">
          {t("newProject.staticWaitingLong")}{" "}
          <a href={`mailto:${email}`} className="underline underline-offset-2">
            {t("newProject.contact")}
          </a>
        </p>
      )}
    </div>
  );
}
