import { escapeHtml, page } from "../../page.ts";
import { lineItemsOf } from "../checkout.ts";
import type { Objects } from "../objects.ts";
import type { StripeContext } from "../StripeContext.ts";
import { formatMoney, languageOf } from "./format.ts";

const texts = {
  es: {
    title: "Pago de prueba",
    about: "Esta página hace de Stripe en tu máquina. No se cobra nada.",
    due: "Total a pagar hoy",
    discount: "Descuento",
    tax: "IVA",
    year: "al año",
    month: "al mes",
    pay: "Pagar",
    decline: "Pagar con una tarjeta rechazada",
    cancel: "Volver sin pagar",
    expire: "Dejar que caduque",
    declined: "Tu tarjeta ha sido rechazada.",
    over: "Este pago ya no está abierto.",
  },
  en: {
    title: "Test payment",
    about: "This page stands in for Stripe on your machine. Nobody is charged.",
    due: "Total due today",
    discount: "Discount",
    tax: "VAT",
    year: "per year",
    month: "per month",
    pay: "Pay",
    decline: "Pay with a card that is declined",
    cancel: "Go back without paying",
    expire: "Let it expire",
    declined: "Your card was declined.",
    over: "This payment is no longer open.",
  },
};

export function checkoutPage(context: StripeContext, session: Objects["checkout.session"], isDeclined = false): string {
  const lang = languageOf(session.locale);
  const t = texts[lang];
  const back = session.cancel_url ? `<a class="button" href="${escapeHtml(session.cancel_url)}">${t.cancel}</a>` : "";
  if (session.status !== "open") return page(lang, t.title, `<p>${t.about}</p><p class="fault">${t.over}</p>${back}`);

  const [line] = lineItemsOf(context, session.id);
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
  ${discount ? `<tr><td>${t.discount}</td><td class="number">−${amount(discount)}</td></tr>` : ""}
  ${tax ? `<tr><td>${t.tax}</td><td class="number">${amount(tax)}</td></tr>` : ""}
  <tr><th>${t.due}</th><th class="number">${amount(session.amount_total)}</th></tr>
</table>
<p><small>${escapeHtml(customer?.email ?? "")}</small></p>
${isDeclined ? `<p class="fault" role="alert">${t.declined}</p>` : ""}
<form method="post">
  <button class="main" name="action" value="pay">${t.pay} ${amount(session.amount_total)}</button>
  <button name="action" value="decline">${t.decline}</button>
  <button name="action" value="expire">${t.expire}</button>
</form>
${back}`,
  );
}
