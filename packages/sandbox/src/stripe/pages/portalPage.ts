import { escapeHtml, page } from "../../page.ts";
import type { Objects } from "../objects.ts";
import { intentOf } from "../payInvoice.ts";
import type { StripeContext } from "../StripeContext.ts";
import { confirmation } from "./checkoutPage.ts";
import { formatDate, formatMoney, type Lang, languageOf } from "./format.ts";

const texts = {
  es: {
    title: "Facturas y tarjeta",
    about: "Esta página hace del portal de clientes de Stripe en tu máquina.",
    back: "Volver",
    subscriptions: "Suscripciones",
    none: "Ninguna.",
    renews: "Se renueva el",
    ends: "Termina el",
    pastDue: "Pago pendiente",
    card: "Tarjeta",
    goodCard: "Usar la tarjeta 4242, que funciona",
    badCard: "Usar la tarjeta 0341, que será rechazada",
    cancel: "Cancelar al final del periodo",
    resume: "No cancelar",
    invoices: "Facturas",
    paid: "Pagada",
    open: "Pendiente",
    draft: "Borrador",
    void: "Anulada",
    uncollectible: "Incobrable",
    total: "Total",
    pay: "Pagar",
    debit: "Domiciliación SEPA",
    processing: "El banco está tramitando el pago.",
  },
  en: {
    title: "Invoices and card",
    about: "This page stands in for Stripe's customer portal on your machine.",
    back: "Back",
    subscriptions: "Subscriptions",
    none: "None.",
    renews: "Renews on",
    ends: "Ends on",
    pastDue: "Payment overdue",
    card: "Card",
    goodCard: "Use card 4242, which works",
    badCard: "Use card 0341, which will be declined",
    cancel: "Cancel at the end of the period",
    resume: "Do not cancel",
    invoices: "Invoices",
    paid: "Paid",
    open: "Open",
    draft: "Draft",
    void: "Void",
    uncollectible: "Uncollectible",
    total: "Total",
    pay: "Pay",
    debit: "SEPA direct debit",
    processing: "The bank is processing the payment.",
  },
};

export function portalPage(context: StripeContext, session: Objects["billing_portal.session"]): string {
  const lang = languageOf(session.locale);
  const t = texts[lang];
  const { store } = context;
  const subscriptions = store
    .all("subscription")
    .filter(({ customer, status }) => customer === session.customer && status !== "canceled");
  const invoices = store.all("invoice").filter(({ customer }) => customer === session.customer);
  return page(
    lang,
    t.title,
    `<p class="wide">${t.about}</p>
<h2>${t.subscriptions}</h2>
${subscriptions.length === 0 ? `<p>${t.none}</p>` : ""}
${subscriptions.map((subscription) => subscriptionBlock(context, subscription, lang)).join("\n")}
<h2>${t.invoices}</h2>
${invoices.length === 0 ? `<p>${t.none}</p>` : ""}
<table>${invoices
      .map(
        ({ id, number, created, total, currency, status }) =>
          `<tr><td><a href="/stripe/invoice/${id}">${escapeHtml(number ?? id)}</a></td><td>${formatDate(created, lang)}</td>
           <td>${t[status as "paid"] ?? ""}</td><td class="number">${escapeHtml(formatMoney(total, currency, lang))}</td></tr>`,
      )
      .join("\n")}</table>
${session.return_url ? `<p><br><a class="button" href="${escapeHtml(session.return_url)}">${t.back}</a></p>` : ""}`,
  );
}

function subscriptionBlock({ store }: StripeContext, subscription: Objects["subscription"], lang: Lang): string {
  const t = texts[lang];
  const [item] = subscription.items.data;
  const card = store.find("_card", subscription.default_payment_method as string | null);
  const name = store.find("product", String(item?.price.product))?.name;
  const ends = subscription.cancel_at !== null;
  return `<form method="post">
  <input type="hidden" name="subscription" value="${subscription.id}">
  <table>
    <tr><td>${escapeHtml(name)}</td><td class="number">${escapeHtml(formatMoney(item?.price.unit_amount ?? 0, subscription.currency, lang))}</td></tr>
    <tr><td>${ends ? t.ends : t.renews} ${formatDate(item?.current_period_end ?? 0, lang)}</td>
      <td class="number">${subscription.status === "past_due" ? `<b class="fault">${t.pastDue}</b>` : ""}</td></tr>
    <tr><td>${t.card}</td><td class="number">•••• ${escapeHtml(card?.last4)}</td></tr>
  </table>
  <p><br>
  <button name="action" value="${card?.isGood ? "badCard" : "goodCard"}">${card?.isGood ? t.badCard : t.goodCard}</button>
  <button name="action" value="${ends ? "resume" : "cancel"}">${ends ? t.resume : t.cancel}</button></p>
</form>`;
}

export function invoicePage(context: StripeContext, invoice: Objects["invoice"], lang: Lang): string {
  const t = texts[lang];
  const customer = context.store.find("customer", invoice.customer as string);
  const rows = invoice.lines.data.map(
    ({ description, amount }) =>
      `<tr><td>${escapeHtml(description)}</td><td class="number">${escapeHtml(formatMoney(amount, invoice.currency, lang))}</td></tr>`,
  );
  const discount = invoice.total_discount_amounts?.[0]?.amount ?? 0;
  if (discount)
    rows.push(
      `<tr><td></td><td class="number">−${escapeHtml(formatMoney(discount, invoice.currency, lang))}</td></tr>`,
    );
  const taxIds = (invoice.customer_tax_ids ?? []).map(({ value }) => value).join(", ");
  return page(
    lang,
    invoice.number ?? invoice.id,
    `<p>${escapeHtml([customer?.name, invoice.customer_email, taxIds].filter(Boolean).join(" · "))}<br>
    ${formatDate(invoice.created, lang)} · ${t[invoice.status as "paid"] ?? ""}</p>
<table>${rows.join("\n")}
<tr><th>${t.total}</th><th class="number">${escapeHtml(formatMoney(invoice.total, invoice.currency, lang))}</th></tr></table>
${invoice.status === "open" ? payForm(context, invoice, lang) : ""}`,
  );
}

/** How an open invoice can be paid: a card that asks for confirmation is confirmed here. */
function payForm(context: StripeContext, { id }: Objects["invoice"], lang: Lang): string {
  const t = texts[lang];
  const status = intentOf(context, id)?.status;
  if (status === "processing") return `<p role="status">${t.processing}</p>`;
  return `${status === "requires_action" ? confirmation(lang) : ""}<form method="post">
  <button class="main" name="action" value="pay">${t.pay}</button>
  <button name="action" value="debit">${t.debit}</button>
</form>`;
}
