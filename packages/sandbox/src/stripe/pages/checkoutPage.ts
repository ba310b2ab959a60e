import { escapeHtml, page } from "../../page.ts";
import { lineItemsOf } from "../checkout.ts";
import { orderId } from "../createSession.ts";
import type { Objects } from "../objects.ts";
import type { StripeContext } from "../StripeContext.ts";
import { formatMoney, type Lang, languageOf } from "./format.ts";

const texts = {
  es: {
    title: "Pago de prueba",
    about: "Esta página hace de Stripe en tu máquina. No se cobra nada.",
    due: "Total a pagar hoy",
    discount: "Descuento",
    trial: "días de prueba, y después",
    tax: "IVA",
    year: "al año",
    month: "al mes",
    pay: "Pagar",
    decline: "Pagar con una tarjeta rechazada",
    cancel: "Volver sin pagar",
    expire: "Dejar que caduque",
    declined: "Tu tarjeta ha sido rechazada.",
    ask: "Pagar con una tarjeta que pide confirmación",
    asking: "Tu banco te pide que confirmes este pago.",
    confirm: "Confirmar",
    refuse: "Rechazar",
    refused: "No has confirmado el pago. Tu tarjeta no se ha cargado.",
    debit: "Pagar por domiciliación SEPA, que tarda unos días",
    over: "Este pago ya no está abierto.",
  },
  en: {
    title: "Test payment",
    about: "This page stands in for Stripe on your machine. Nobody is charged.",
    due: "Total due today",
    discount: "Discount",
    trial: "days of trial, then",
    tax: "VAT",
    year: "per year",
    month: "per month",
    pay: "Pay",
    decline: "Pay with a card that is declined",
    cancel: "Go back without paying",
    expire: "Let it expire",
    declined: "Your card was declined.",
    ask: "Pay with a card that asks for confirmation",
    asking: "Your bank asks you to confirm this payment.",
    confirm: "Confirm",
    refuse: "Refuse",
    refused: "You did not confirm the payment. Your card was not charged.",
    debit: "Pay by SEPA direct debit, which takes some days",
    over: "This payment is no longer open.",
  },
};

/** What the buyer has just tried. */
type Attempt = "decline" | "ask" | "refuse";

export function checkoutPage(context: StripeContext, session: Objects["checkout.session"], attempt?: Attempt): string {
  const lang = languageOf(session.locale);
  const t = texts[lang];
  const back = session.cancel_url ? `<a class="button" href="${escapeHtml(session.cancel_url)}">${t.cancel}</a>` : "";
  if (session.status !== "open") return page(lang, t.title, `<p>${t.about}</p><p class="fault">${t.over}</p>${back}`);

  const [line] = lineItemsOf(context, session.id);
  const trial = context.store.find("_order", orderId(session.id))?.trial;
  const amount = (cents: number | null) => escapeHtml(formatMoney(cents, session.currency, lang));
  const discount = session.total_details?.amount_discount ?? 0;
  const tax = session.total_details?.amount_tax ?? 0;
  const customer = context.store.find("customer", session.customer as string | null);
  return page(
    lang,
    t.title,
    `<p>${t.about}</p>
<table>
  <tr><td>${escapeHtml(line?.description)}<br><small>${t[line?.price?.recurring?.interval === "year" ? "year" : "month"]}</small></td>
    <td class="number">${amount(session.amount_subtotal)}</td></tr>
  ${trial ? `<tr><td>${trial.days} ${t.trial}</td><td class="number">${amount(line?.price?.unit_amount ?? 0)}</td></tr>` : ""}
  ${discount ? `<tr><td>${t.discount}</td><td class="number">−${amount(discount)}</td></tr>` : ""}
  ${tax ? `<tr><td>${t.tax}</td><td class="number">${amount(tax)}</td></tr>` : ""}
  <tr><th>${t.due}</th><th class="number">${amount(session.amount_total)}</th></tr>
</table>
<p><small>${escapeHtml(customer?.email ?? "")}</small></p>
${attempt === "decline" || attempt === "refuse" ? `<p class="fault" role="alert">${t[attempt === "decline" ? "declined" : "refused"]}</p>` : ""}
${attempt === "ask" ? confirmation(lang) : buttons(session, lang)}
${back}`,
  );
}

function buttons({ amount_total, currency, payment_method_types: methods }: Objects["checkout.session"], lang: Lang) {
  const t = texts[lang];
  // Stripe offers it in euro only.
  const hasDebit = methods.includes("sepa_debit") && currency === "eur";
  return `<form method="post">
  <button class="main" name="action" value="pay">${t.pay} ${escapeHtml(formatMoney(amount_total, currency, lang))}</button>
  <button name="action" value="ask">${t.ask}</button>
  <button name="action" value="decline">${t.decline}</button>
  ${hasDebit ? `<button name="action" value="debit">${t.debit}</button>` : ""}
  <button name="action" value="expire">${t.expire}</button>
</form>`;
}

/** The page of the buyer's bank. */
export function confirmation(lang: Lang): string {
  const t = texts[lang];
  return `<p role="status">${t.asking}</p>
<form method="post">
  <button class="main" name="action" value="confirm">${t.confirm}</button>
  <button name="action" value="refuse">${t.refuse}</button>
</form>`;
}
