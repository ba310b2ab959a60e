/** The first file of an archive, in the customer's language. */
export const readMe = {
  es: {
    path: "LEEME.txt",
    text: `Esta es una copia de todo lo que guardamos sobre ti.

account.json        tu cuenta, tus sesiones, llaves de acceso y claves
projects.json       tus proyectos, incluidos los eliminados que aún se pueden recuperar
subscriptions.json  lo que has contratado
invoices.json       tus facturas
payouts.json        los pagos que has solicitado por tus referidos
earnings.json       lo que has ganado con tus referidos
refunds.json        lo que te hemos devuelto
disputes.json       los pagos que ha disputado tu banco
messages.json       los correos que te hemos enviado
activity.json       lo que ha pasado en tu cuenta
sites/              tus sitios: de cada WordPress, sus archivos y su base de datos; de cada sitio estático, lo que muestra
`,
  },
  en: {
    path: "README.txt",
    text: `This is a copy of everything that we store about you.

account.json        your account, your sessions, passkeys and tokens
projects.json       your projects, including deleted ones that can still be brought back
subscriptions.json  what you subscribed to
invoices.json       your invoices
payouts.json        the payouts that you requested for your referrals
earnings.json       what you earned with your referrals
refunds.json        what we refunded to you
disputes.json       the payments that your bank disputed
messages.json       the messages that we sent you
activity.json       what happened in your account
sites/              your sites: the files and the database of each WordPress site; what each static site shows
`,
  },
};
