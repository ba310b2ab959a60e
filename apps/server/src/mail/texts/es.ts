import type { SignInChange } from "@nido/contract";
import { errorTexts } from "@nido/contract/errorTexts/es";
import { type MailTexts, mailPaths } from "../templates.ts";
import { formatDay, formatMoment, formatMoney } from "./format.ts";

const notYou = "Si no has sido tú, elige ahora mismo una contraseña nueva y escríbenos.";

const changes: Record<SignInChange, string> = {
  totpOn: "La verificación en dos pasos con una aplicación está activada.",
  twoStepOn: "La verificación en dos pasos con tus llaves de acceso está activada.",
  twoStepOff: "La verificación en dos pasos está desactivada.",
  codesRenewed: "Tienes códigos de recuperación nuevos. Los anteriores ya no valen.",
  recoveryCodeUsed: "Se ha usado uno de tus códigos de recuperación. No se puede volver a usar.",
  passkeyAdded: "Se ha añadido una llave de acceso. Con ella se entra sin contraseña.",
  passkeyRemoved: "Se ha quitado una llave de acceso.",
  googleLinked: "Se ha vinculado una cuenta de Google. Con ella se puede entrar en tu cuenta.",
  googleUnlinked: "Se ha desvinculado tu cuenta de Google. Ya no se puede entrar con ella.",
};

export const es: MailTexts = {
  confirmAddress: ({ secrets: { code, token } }, { brand }) => ({
    subject: `${code} es tu código de ${brand}`,
    paragraphs: [`Escribe este código para crear tu cuenta de ${brand}. Vale durante 15 minutos.`],
    code,
    button: { label: "Confirmar mi correo", path: mailPaths.confirmAddress(token) },
    note: "Si no lo has pedido, no hagas caso de este mensaje: no se creará ninguna cuenta.",
  }),
  alreadyRegistered: (_, { brand }) => ({
    subject: `Ya tienes una cuenta de ${brand}`,
    paragraphs: [
      `Alguien, seguramente tú, ha intentado crear una cuenta de ${brand} con este correo. Ya tienes una: solo tienes que iniciar sesión.`,
    ],
    button: { label: "Iniciar sesión", path: mailPaths.login },
    note: "Si has olvidado la contraseña, en esa página puedes elegir otra. Si no has sido tú, no tienes que hacer nada.",
  }),
  noAccount: (_, { brand }) => ({
    subject: `Este correo no tiene cuenta en ${brand}`,
    paragraphs: [
      `Alguien, seguramente tú, ha pedido una contraseña nueva para ${brand}. Ninguna cuenta tiene este correo: quizá te registraste con otro.`,
    ],
    button: { label: "Crear una cuenta", path: "/signup" },
    note: "Si no has sido tú, no tienes que hacer nada.",
  }),
  welcome: (_, { brand }) => ({
    subject: `Te damos la bienvenida a ${brand}`,
    paragraphs: ["Tu cuenta está lista. Crea tu primer sitio: tardarás más o menos un minuto."],
    button: { label: "Crear un sitio", path: mailPaths.newProject },
  }),
  resetPassword: ({ secrets: { token } }, { brand }) => ({
    subject: `Elige una contraseña nueva para ${brand}`,
    paragraphs: [
      "Has pedido una contraseña nueva. El enlace funciona una sola vez, durante 30 minutos. Mientras no elijas otra, sigue valiendo la actual.",
    ],
    button: { label: "Elegir una contraseña nueva", path: mailPaths.resetPassword(token) },
    note: "Si no has sido tú, no hagas caso de este mensaje: tu contraseña no cambia.",
  }),
  passwordChanged: (_, { brand }) => ({
    subject: `Se ha cambiado tu contraseña de ${brand}`,
    paragraphs: ["Tu contraseña se acaba de cambiar. Se ha cerrado la sesión en los demás navegadores."],
    button: { label: "No he sido yo", path: mailPaths.reset },
    note: notYou,
  }),
  confirmNewEmail: ({ secrets: { code, token } }, { brand }) => ({
    subject: `${code} confirma tu nuevo correo de ${brand}`,
    paragraphs: [`Confirma que este es el nuevo correo de tu cuenta de ${brand}. El código vale durante una hora.`],
    code,
    button: { label: "Confirmar el nuevo correo", path: mailPaths.confirmEmail(token) },
    note: "Si no lo has pedido, no hagas caso de este mensaje: no cambiará nada.",
  }),
  newEmailTaken: (_, { brand }) => ({
    subject: `Este correo ya tiene una cuenta de ${brand}`,
    paragraphs: [
      `Alguien ha intentado usar este correo en otra cuenta de ${brand}. Un correo solo puede tener una cuenta, así que no ha cambiado nada.`,
    ],
    note: "Si has sido tú: cierra antes una de las dos cuentas, o elige otro correo.",
  }),
  emailChanged: ({ newEmail, secrets: { token } }, { brand }) => ({
    subject: `Se ha cambiado el correo de tu cuenta de ${brand}`,
    paragraphs: [
      `Tu cuenta usa ahora el correo ${newEmail}. Si no has sido tú, puedes deshacer el cambio durante 72 horas. Al hacerlo, cerraremos la sesión en todos los navegadores y te enviaremos un enlace para elegir una contraseña nueva.`,
    ],
    button: { label: "No he sido yo: deshacer", path: mailPaths.undoEmail(token) },
  }),

  secondFactorChanged: ({ change }, { brand }) => ({
    subject: `Ha cambiado tu forma de entrar en ${brand}`,
    paragraphs: [changes[change]],
    button: { label: "Revisar mi seguridad", path: mailPaths.security },
    note: notYou,
  }),
  newDevice: ({ device, place, at }, { brand, lang }) => ({
    subject: `Nuevo inicio de sesión en tu cuenta de ${brand}`,
    paragraphs: [
      "Alguien ha iniciado sesión en tu cuenta desde un navegador nuevo. Si has sido tú, no tienes que hacer nada.",
    ],
    facts: [
      ["Navegador", device || "desconocido"],
      ["Red", place],
      ["Cuándo", formatMoment(at, lang)],
    ],
    button: { label: "Ver mis sesiones abiertas", path: mailPaths.security },
    note: notYou,
  }),
  ibanChanged: ({ end }, { brand }) => ({
    subject: `La cuenta para tus pagos de ${brand} ha cambiado`,
    paragraphs: ["Los pagos que solicites por tus referidos irán a esta cuenta."],
    facts: [["Termina en", end]],
    button: { label: "Ver mis referidos", path: mailPaths.referrals },
    note: notYou,
  }),
  accessAdded: ({ projectId, name, key }) => ({
    subject: `Nuevo acceso por SFTP a ${name}`,
    paragraphs: [
      "Quien tenga este acceso puede leer y cambiar los archivos del sitio. Puedes quitarlo cuando quieras.",
    ],
    facts: [["Acceso", key === null ? "contraseña" : `clave «${key}»`]],
    button: { label: "Ver los accesos", path: mailPaths.project(projectId) },
    note: notYou,
  }),
  tokenCreated: ({ name, project }, { brand }) => ({
    subject: `Nueva clave para la línea de comandos de ${brand}`,
    paragraphs: ["Un programa que tenga esta clave puede publicar tus sitios. Puedes revocarla cuando quieras."],
    facts: [
      ["Nombre", name],
      ["Proyecto", project ?? "todos"],
    ],
    button: { label: "Ver mis claves", path: mailPaths.security },
    note: notYou,
  }),

  exportReady: ({ until }) => ({
    subject: "La copia de tus datos está lista",
    paragraphs: [
      `Ya puedes descargar la copia de tus datos. El enlace vale hasta el ${formatMoment(until, "es")}; después la borramos.`,
    ],
    button: { label: "Descargar mis datos", path: mailPaths.data },
    note: notYou,
  }),
  accountClosing: ({ until, projects }, { brand }) => ({
    subject: `Tu cuenta de ${brand} está cerrada`,
    paragraphs: [
      "Has cerrado tu cuenta. Tus suscripciones han terminado y no se te cobrará nada más.",
      ...(projects.length > 0 ? [`Hemos archivado estos sitios: ${projects.join(", ")}.`] : []),
      `Si cambias de idea, inicia sesión antes del ${formatDay(until, "es")} y reábrela. Después lo borraremos todo, salvo lo que la ley nos obliga a guardar para la contabilidad.`,
    ],
    button: { label: "Reabrir mi cuenta", path: mailPaths.login },
    note: notYou,
  }),
  accountReopened: (_, { brand }) => ({
    subject: `Tu cuenta de ${brand} vuelve a estar abierta`,
    paragraphs: [
      "Has reabierto tu cuenta. Los sitios cuyo periodo pagado no ha terminado vuelven a estar disponibles.",
      "Los demás puedes recuperarlos con un plan, en la pestaña «Actividad» de Ajustes.",
    ],
    button: { label: "Ver mis proyectos", path: mailPaths.projects },
    note: notYou,
  }),
  accountRemoved: (_, { brand }) => ({
    subject: `Hemos borrado tu cuenta de ${brand}`,
    paragraphs: [
      "Hace 30 días cerraste tu cuenta. La hemos borrado con todos tus datos, salvo lo que la ley nos obliga a guardar para la contabilidad: tus facturas, tus suscripciones y los pagos por referidos.",
      "Gracias por haber confiado en nosotros.",
    ],
  }),

  siteReady: ({ projectId, name, url, category }) =>
    category === "wordpress"
      ? {
          subject: `${name} está listo`,
          paragraphs: ["Tu WordPress ya funciona. Ábrelo con un clic desde su página: no necesitas otra contraseña."],
          facts: [["Dirección", url]],
          button: { label: "Gestionar el sitio", path: mailPaths.project(projectId) },
        }
      : {
          subject: `${name} está listo`,
          paragraphs: ["Tu sitio estático ya tiene dirección. Publica tus archivos con el comando «nido publish»."],
          facts: [["Dirección", url]],
          button: { label: "Cómo publicar", path: mailPaths.project(projectId) },
        },
  siteFailed: ({ projectId, name }) => ({
    subject: `No hemos podido crear ${name}`,
    paragraphs: [
      "Algo ha fallado por nuestra parte al preparar tu sitio. Ya estamos avisados y lo estamos mirando. Si lo prefieres, elimina el proyecto: su suscripción terminará con él.",
    ],
    button: { label: "Ver el proyecto", path: mailPaths.project(projectId) },
  }),
  projectDeleted: ({ name, until }, { lang }) => ({
    subject: `Se ha eliminado ${name}`,
    paragraphs: [
      `El sitio ya no responde y su suscripción ha terminado. Guardamos una copia hasta el ${formatDay(until, lang)}. Hasta entonces puedes recuperarlo.`,
    ],
    button: { label: "Ver la actividad reciente", path: mailPaths.activity },
    note: notYou,
  }),
  diskWarning: ({ projectId, name, percent }) => ({
    subject: `${name} ha usado el ${percent} % de su espacio`,
    paragraphs: [
      percent === 95
        ? "Cuando el espacio se llene, el sitio no podrá guardar archivos, como las imágenes que subas. Borra lo que ya no necesites o elige un plan superior."
        : "Aún queda espacio, pero es buen momento para borrar lo que ya no necesites o elegir un plan superior.",
    ],
    button: { label: "Ver el espacio usado", path: mailPaths.project(projectId) },
  }),
  backupFailed: ({ projectId, name }) => ({
    subject: `La copia de seguridad de ${name} ha fallado dos veces`,
    paragraphs: [
      "Han fallado las dos últimas copias nocturnas de tu sitio. El sitio funciona y las copias anteriores están a salvo. Ya estamos avisados y lo estamos mirando.",
    ],
    button: { label: "Ver el proyecto", path: mailPaths.project(projectId) },
  }),
  wordpressUpdated: ({ projectId, name, version }) => ({
    subject: `${name} usa ahora WordPress ${version}`,
    paragraphs: ["Hemos actualizado WordPress y comprobado que tu sitio responde como antes."],
    button: { label: "Ver el proyecto", path: mailPaths.project(projectId) },
  }),
  updateUndone: ({ projectId, name, version }) => ({
    subject: `Se ha deshecho la actualización de ${name}`,
    paragraphs: [
      `Con WordPress ${version} tu sitio dejaba de responder, así que hemos vuelto a la versión anterior. La causa suele ser un plugin o un tema: actualízalos en el panel de WordPress.`,
    ],
    button: { label: "Ver el proyecto", path: mailPaths.project(projectId) },
  }),

  receipt: ({ number, url, ...money }, { brand, lang }) => ({
    subject: `Recibo ${number} de ${brand}`,
    paragraphs: ["Gracias. Hemos recibido tu pago."],
    facts: [
      ["Importe", formatMoney(money, lang)],
      ["Factura", number],
    ],
    button: url ? { label: "Abrir la factura", path: url } : { label: "Ver mis productos", path: mailPaths.products },
  }),
  paymentFailed: ({ name, reminder, suspendsAt, asks, url, ...money }, { lang }) => ({
    subject: asks
      ? `Tu banco te pide que confirmes el pago de ${name}`
      : reminder === 1
        ? `No hemos podido cobrar ${name}`
        : `Recordatorio: el pago de ${name} sigue pendiente`,
    paragraphs: [
      asks
        ? `Tu banco solo hace este pago si lo confirmas. Hazlo antes del ${formatDay(suspendsAt, lang)} para que el sitio siga en línea. Si necesitas más tiempo, no se borra nada.`
        : `El pago ha sido rechazado. Paga antes del ${formatDay(suspendsAt, lang)} para que el sitio siga en línea. Si necesitas más tiempo, no se borra nada.`,
    ],
    facts: [["Importe", formatMoney(money, lang)]],
    button: { label: asks ? "Confirmar el pago" : "Pagar ahora", path: url ?? mailPaths.products },
  }),
  purchaseProcessing: ({ name }) => ({
    subject: `El pago de ${name} se está tramitando`,
    paragraphs: [
      "Gracias por tu pedido. Tu banco tarda unos días laborables en hacer el pago. Hasta entonces te guardamos el nombre, y crearemos el sitio en cuanto el pago se complete. Te escribiremos.",
    ],
    button: { label: "Ver mis proyectos", path: mailPaths.projects },
  }),
  purchaseFailed: ({ name, path }) => ({
    subject: `El pago de ${name} ha fallado`,
    paragraphs: [
      "Tu banco no ha hecho el pago. No se te ha cobrado nada y no hemos creado el sitio. El nombre vuelve a estar libre: si todavía lo quieres, cómpralo con tarjeta.",
    ],
    button: { label: "Volver a intentarlo", path },
  }),
  suspended: ({ name, url }) => ({
    subject: `${name} está suspendido`,
    paragraphs: [
      "El pago sigue pendiente, así que los visitantes ya no ven el sitio. Todo lo que contiene está a salvo: volverá en cuanto pagues.",
    ],
    button: { label: "Pagar ahora", path: url ?? mailPaths.products },
  }),
  restored: ({ name, url }) => ({
    subject: `${name} vuelve a estar en línea`,
    paragraphs: ["Gracias por tu pago. Los visitantes vuelven a ver tu sitio."],
    button: { label: "Abrir el sitio", path: url },
  }),
  disputed: ({ projectId, name, ...money }, { lang }) => ({
    subject: `${name} está suspendido: tu banco ha abierto una disputa por un pago`,
    paragraphs: [
      `Tu banco nos ha comunicado una disputa sobre el pago de ${formatMoney(money, lang)} por ${name}. Hasta que decida, los visitantes no ven el sitio. Todo lo que contiene está a salvo.`,
      "Si no era tu intención, pide a tu banco que retire la disputa y responde a este mensaje para que también nosotros avisemos al banco.",
    ],
    button: { label: "Ver el proyecto", path: mailPaths.project(projectId) },
  }),
  disputeWon: ({ name, url }) => ({
    subject: `${name} vuelve a estar en línea`,
    paragraphs: ["La disputa sobre tu pago ha terminado y el pago es válido. Los visitantes vuelven a ver tu sitio."],
    button: { label: "Abrir el sitio", path: url },
  }),
  disputeLost: ({ name }) => ({
    subject: `${name} sigue suspendido: tu banco te ha devuelto el pago`,
    paragraphs: [
      "Tu banco te ha dado la razón en la disputa y te ha devuelto el dinero. Por eso el sitio sigue suspendido y su suscripción no se renovará: no te cobraremos más por él.",
      "Si quieres recuperar el sitio, elimina el proyecto y recupéralo con un plan nuevo en la pestaña «Actividad» de Ajustes. O responde a este mensaje.",
    ],
    button: { label: "Ver la actividad", path: mailPaths.activity },
  }),
  refunded: (money, { lang }) => ({
    subject: `Te hemos devuelto ${formatMoney(money, lang)}`,
    paragraphs: [
      "El dinero va camino de la tarjeta o la cuenta con la que pagaste. Puede tardar hasta diez días en aparecer.",
    ],
    button: { label: "Ver mis facturas", path: mailPaths.products },
  }),
  purchaseRefunded: ({ name, ...money }, { lang }) => ({
    subject: `No hemos podido completar la compra de ${name}`,
    paragraphs: [
      "Tu compra no se ha podido completar, así que no hemos creado el sitio y su suscripción ha terminado.",
      money.amount > 0
        ? `Te hemos devuelto ${formatMoney(money, lang)}. El dinero va camino de la tarjeta o la cuenta con la que pagaste. Puede tardar hasta diez días en aparecer.`
        : "No se te ha cobrado nada.",
    ],
    button: { label: "Crear un sitio", path: mailPaths.newProject },
  }),
  payoutRequested: (money, { lang }) => ({
    subject: "Hemos recibido tu solicitud de pago",
    paragraphs: [`Te pagaremos ${formatMoney(money, lang)} y te avisaremos cuando esté hecho.`],
    button: { label: "Ver mis referidos", path: mailPaths.referrals },
    note: notYou,
  }),
  payoutPaid: (money, { lang }) => ({
    subject: "Tu pago está en camino",
    paragraphs: [`Te hemos pagado ${formatMoney(money, lang)}. Gracias por recomendarnos.`],
    button: { label: "Ver mis referidos", path: mailPaths.referrals },
  }),

  domainVerified: ({ projectId, domain }) => ({
    subject: `${domain} funciona`,
    paragraphs: [`${domain} ya muestra tu sitio. Su certificado se pide automáticamente.`],
    button: { label: "Ver los dominios", path: mailPaths.domains(projectId) },
  }),
  domainFailing: ({ projectId, domain, records }) => ({
    subject: `${domain} ya no apunta a nosotros`,
    paragraphs: [
      "Sus registros DNS han cambiado. El dominio seguirá mostrando tu sitio tres días como mucho. Vuelve a crear estos registros donde gestionas el dominio:",
    ],
    facts: records.map(({ type, name, value }) => [`${type} ${name}`, value]),
    button: { label: "Ver qué falla", path: mailPaths.domains(projectId) },
  }),
  certificateProblem: ({ projectId, domain, reason }) => ({
    subject: `No hay certificado para ${domain}`,
    paragraphs: [errorTexts[reason]],
    button: { label: "Ver el dominio", path: mailPaths.domains(projectId) },
  }),

  operatorDispute: ({ id, name, subId, reason, state, dueBy, ...money }, { lang }) => ({
    subject: { open: "Un pago está en disputa", won: "Disputa ganada", lost: "Disputa perdida" }[state],
    paragraphs: [
      {
        open: "El sitio está suspendido hasta que el banco decida. Responde con pruebas en Stripe, o acepta allí la disputa.",
        won: "El pago es válido. El sitio vuelve a estar en línea, salvo que otra cosa lo mantenga suspendido.",
        lost: "El cliente ha recuperado el dinero. El sitio sigue suspendido y su suscripción no se renueva.",
      }[state],
    ],
    facts: [
      ["Sitio", name ?? "eliminado"],
      ["Importe", formatMoney(money, lang)],
      ["Motivo", reason],
      ["Disputa", id],
      ["Suscripción", subId],
      ...(dueBy ? [["Plazo para las pruebas", formatMoment(dueBy, lang)] satisfies [string, string]] : []),
    ],
  }),
  operatorRefund: ({ id, problem, ...money }, { lang }) => ({
    subject: "Una devolución requiere tu atención",
    paragraphs: [
      "Debemos dinero a un cliente y no se lo hemos podido devolver. «npm run refunds» muestra qué se debe y por qué.",
    ],
    facts: [
      ["Importe", formatMoney(money, lang)],
      ["Problema", problem],
      ["Devolución", id],
    ],
  }),
};
