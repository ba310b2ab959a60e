import type { Invoice, InvoicePage } from "@nido/contract";
import { FileDown, FileText } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { api } from "../api/api.ts";
import { useCall } from "../api/useCall.ts";
import { formatDate } from "../i18n/format.ts";
import { currentLanguage } from "../i18n/language.ts";
import { formatMoney } from "../i18n/money.ts";
import { serverPaths } from "../paths.ts";
import { useSubscriptions } from "../state/store.ts";
import { Button } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { StatusDot } from "../ui/StatusDot.tsx";

const loadFirst = (signal: AbortSignal) => api<InvoicePage>(serverPaths.invoices(), { signal });

/** The invoices, the newest first, each with its page and PDF at the payment provider. */
export function Invoices() {
  const { t } = useTranslation();
  const lang = currentLanguage();
  const { status, invoices, credit, retry, more } = useInvoices();
  const list = useRef<HTMLUListElement>(null);
  const hasProducts = Object.keys(useSubscriptions()).length > 0;
  const isEmpty = status === "done" && invoices.length === 0 && !credit;
  // Who has no product has rarely an invoice: what would vanish again is not shown.
  if (isEmpty || (status === "loading" && !hasProducts)) return null;
  return (
    <section className="mt-9" aria-labelledby="invoices">
      <h2 id="invoices" className="mb-3 text-section font-[640]">
        {t("invoices.title")}
      </h2>
      {status === "loading" && <Skeleton count={3} className="mb-2 h-14" />}
      {status === "failed" && (
        <div className="flex flex-col items-start gap-4">
          <ErrorBox>{t("invoices.failed")}</ErrorBox>
          <Button onClick={retry}>{t("common.retry")}</Button>
        </div>
      )}
      {status === "done" && (
        <>
          {credit && (
            <p className="mb-3 text-small text-ink-2">
              {t("invoices.credit", { amount: formatMoney(credit.amount, credit.currency, lang) })}
            </p>
          )}
          {invoices.length > 0 && (
            <Card>
              <ul ref={list} tabIndex={-1} aria-labelledby="invoices" className="divide-y divide-line outline-none">
                {invoices.map((invoice) => (
                  <InvoiceRow key={invoice.id} invoice={invoice} />
                ))}
              </ul>
            </Card>
          )}
          {more?.hasFailed && (
            <div className="mt-4">
              <ErrorBox>{t("invoices.failed")}</ErrorBox>
            </div>
          )}
          {more && (
            <Button
              className="mt-4"
              busy={more.isLoading}
              onClick={async () => {
                await more.load();
                // The button is gone after the last page.
                list.current?.focus();
              }}
            >
              {t("invoices.more")}
            </Button>
          )}
        </>
      )}
    </section>
  );
}

const dots = { paid: "good", open: "bad", void: "over", uncollectible: "bad" } as const;

function InvoiceRow({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation();
  const lang = currentLanguage();
  const { number, created_at, total, vat, currency, state, url, pdf } = invoice;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3">
      <div className="min-w-0 flex-1 basis-[130px]">
        <p className="font-[560] break-words">{number}</p>
        <p className="mt-0.5 text-small text-ink-2">{formatDate(created_at, lang)}</p>
      </div>
      <div className="min-w-[120px] text-right">
        <p className="font-[560]">{formatMoney(total, currency, lang)}</p>
        <p className="mt-0.5 text-small text-ink-2">
          {vat > 0 ? t("invoices.vat", { amount: formatMoney(vat, currency, lang) }) : t("invoices.noVat")}
        </p>
      </div>
      <div className="sm:min-w-[110px]">
        <StatusDot state={dots[state]}>{t(`invoices.state.${state}`)}</StatusDot>
      </div>
      <div className="ml-auto flex gap-4 text-small font-[560]">
        {url && (
          <a href={url} target="_blank" rel="noreferrer" className="inline-flex items-center gap-1.5 hover:underline">
            <FileText className="size-4" aria-hidden="true" />
            {t(state === "open" ? "debt.pay" : "invoices.open")}
            <span className="sr-only">: {number}</span>
          </a>
        )}
        {pdf && (
          <a href={pdf} target="_blank" rel="noreferrer" className="inline-flex items-center gap-1.5 hover:underline">
            <FileDown className="size-4" aria-hidden="true" />
            PDF
            <span className="sr-only">: {number}</span>
          </a>
        )}
      </div>
    </li>
  );
}

/** The pages that were read so far. A page that cannot be read leaves them as they are. */
function useInvoices() {
  const first = useCall(loadFirst);
  const [older, setOlder] = useState<InvoicePage>();
  const [isLoadingMore, setIsLoadingMore] = useState(false);
  const [hasFailed, setHasFailed] = useState(false);
  const newest = first.status === "done" ? first.answer : { invoices: [] };
  const next = older ? older.next : newest.next;

  async function loadMore() {
    setIsLoadingMore(true);
    setHasFailed(false);
    try {
      const page = await api<InvoicePage>(serverPaths.invoices(next));
      setOlder({ ...page, invoices: [...(older?.invoices ?? []), ...page.invoices] });
    } catch {
      setHasFailed(true);
    } finally {
      setIsLoadingMore(false);
    }
  }

  return {
    status: first.status,
    invoices: [...newest.invoices, ...(older?.invoices ?? [])],
    credit: newest.credit,
    retry: first.retry,
    ...(next !== undefined && { more: { isLoading: isLoadingMore, hasFailed, load: loadMore } }),
  };
}
