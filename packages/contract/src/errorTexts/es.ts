import type { ErrorKey } from "../errors.ts";

/** Every error in Spanish: its cause, and what to do next. */
export const errorTexts: Record<ErrorKey, string> = {
  error_action_unknown: "Esta versión de la página es antigua. Recárgala y vuelve a intentarlo.",
  error_address_too_long: "La dirección es demasiado larga. Acorta el campo más largo.",
  error_body_too_large: "Has enviado demasiado texto. Acórtalo y vuelve a intentarlo.",
  error_branch_invalid: "Ese nombre de rama no es válido. Usa hasta 20 minúsculas, números y guiones sueltos.",
  error_certificate_authority:
    "No hemos podido obtener un certificado de la autoridad de certificación. Lo intentaremos de nuevo.",
  error_certificate_caa:
    "Un registro CAA de este dominio no permite que nuestra autoridad de certificación emita un certificado. Quítalo o añade uno para nuestra autoridad.",
  error_certificate_rate_limit:
    "Se ha alcanzado el límite de certificados nuevos. Lo intentaremos de nuevo en cuanto sea posible.",
  error_certificate_rejected:
    "La autoridad de certificación no emite certificados para este dominio. Escríbenos si crees que es un error.",
  error_certificate_unreachable:
    "La autoridad de certificación no ha podido verificar este dominio. Comprueba que todos sus registros A y AAAA apuntan a nosotros.",
  error_checkout_limit: "Tienes cinco compras a medias. Termina una o espera media hora y vuelve a intentarlo.",
  error_code_denied: "No se ha dado acceso. Si ha sido un error, vuelve a ejecutar «nido login».",
  error_code_expired: "El código ha caducado. Vuelve a ejecutar «nido login».",
  error_code_invalid: "Ese código no es válido o ya se ha usado. Vuelve a ejecutar «nido login».",
  error_code_pending: "Todavía no has dado acceso en el navegador.",
  error_company_too_long: "El nombre de la empresa es demasiado largo: como mucho, 120 caracteres.",
  error_country_invalid: "No conocemos ese país. Elígelo de la lista.",
  error_deploy_incomplete: "Faltan archivos por enviar. Vuelve a publicar: solo se enviará lo que falta.",
  error_deploy_not_found: "Esa publicación no existe o ya se ha borrado. Mira las que hay con «nido deploys».",
  error_deploys_daily: "Este proyecto ya lleva 200 publicaciones en 24 horas. Espera unas horas y vuelve a intentarlo.",
  error_deploys_limit: "Hay demasiadas publicaciones a medias en este proyecto. Espera un día o termina una.",
  error_digest_mismatch: "Un archivo ha cambiado o se ha dañado durante el envío. Vuelve a publicar.",
  error_disk_full: "El sitio ocupa más de lo que permite tu plan. Quita archivos grandes y vuelve a publicar.",
  error_domain_duplicate: "Este dominio ya está asignado",
  error_domain_invalid: "Dominio no válido",
  error_domain_limit: "Este proyecto ya tiene 50 dominios, el máximo. Elimina uno antes.",
  error_domain_not_configured: "Este dominio no apunta a nosotros. Revisa sus registros DNS.",
  error_domain_unproven: "Este dominio apunta a nosotros, pero falta el registro TXT que demuestra que es tuyo.",
  error_dns_unreachable: "No hemos podido consultar los registros de este dominio. Lo intentaremos de nuevo.",
  error_email_invalid: "Ese correo no es válido. Comprueba cómo está escrito.",
  error_email_taken: "Ese correo ya es de otra cuenta. Elige otro.",
  error_files_too_many:
    "Son demasiados archivos: un sitio puede tener 100.000 como mucho. Quita algunos y vuelve a publicar.",
  error_foreign_origin: "La petición no venía de esta página. Recárgala y vuelve a intentarlo.",
  error_google_email_taken: "Ese correo ya pertenece a otra cuenta de Google. Entra con esa otra cuenta.",
  error_google_email_unverified:
    "Google no ha verificado ese correo, así que no podemos saber si es tuyo. Verifícalo en tu cuenta de Google y vuelve a entrar.",
  error_google_failed: "No se ha completado el inicio de sesión con Google. Vuelve a intentarlo.",
  error_google_unavailable: "El inicio de sesión con Google no está disponible aquí. Usa tu correo y tu contraseña.",
  error_invalid_credentials: "Credenciales no válidas",
  error_invalid_input: "Hay algo que no hemos podido leer. Revisa los campos y vuelve a intentarlo.",
  error_language_invalid: "Ese idioma no está disponible. Elige español o inglés.",
  error_undo_payment: "El periodo pagado ha terminado. Para recuperar el proyecto, contrata un plan.",
  error_undo_stale: "Ya no se puede deshacer: algo ha cambiado después.",
  error_confirmation_wrong: "Escribe el correo de tu cuenta.",
  error_account_closed: "Tu cuenta está cerrada. Reábrela para seguir.",
  error_last_way_in: "Te quedarías sin forma de entrar. Crea antes una contraseña o añade una llave de acceso.",
  error_google_unlinked:
    "Google se desvinculó de la cuenta de este correo. Entra de otra forma y vuelve a vincularlo en la pestaña «Seguridad» de Ajustes.",
  error_link_elsewhere: "Abre este enlace en el navegador en el que lo pediste, o inicia sesión aquí antes.",
  error_mail_unavailable: "Ahora mismo no se pueden enviar mensajes. Escríbenos y te ayudaremos.",
  error_link_invalid: "Este enlace ya se ha usado o ha caducado. Pide uno nuevo.",
  error_login_needed: "Esto solo lo puede hacer una persona. Ejecuta «nido login».",
  error_media_type: "La petición tenía un formato que no aceptamos. Recarga la página y vuelve a intentarlo.",
  error_name_invalid: "Ese nombre no es válido. Usa de 5 a 20 letras minúsculas y números.",
  error_name_taken: "Ese nombre ya está ocupado. Prueba con otro.",
  error_network: "No hemos podido conectar con el servidor. Comprueba tu conexión y vuelve a intentarlo.",
  error_not_found: "No lo hemos encontrado. Puede que ya no exista.",
  error_password_current_required: "Escribe tu contraseña actual: hace más de 10 minutos que entraste.",
  error_password_current_wrong: "La contraseña actual no es correcta. Vuelve a escribirla.",
  error_password_empty: "La contraseña no puede estar vacía",
  error_password_invalid:
    "La contraseña debe tener al menos una mayúscula, una minúscula, al menos un número y ningún espacio",
  error_password_needed: "Escribe la contraseña que elegiste, para seguir en este navegador.",
  error_password_too_long: "La contraseña es demasiado larga: como mucho, 256 caracteres.",
  error_password_too_short: "La contraseña debe tener al menos 8 caracteres",
  error_path_collision: "Dos archivos tienen nombres que no pueden convivir. Cambia uno.",
  error_path_invalid: "Un archivo tiene un nombre que no se puede publicar. Cámbialo o exclúyelo.",
  error_payment_unavailable:
    "El servicio de pagos no responde. No se te ha cobrado nada: vuelve a intentarlo en un momento.",
  error_payout_nothing: "Todavía no tienes ganancias que puedas cobrar.",
  error_phone_invalid: "Ese teléfono no es válido. Usa números, espacios y, si quieres, un + delante.",
  error_plan_not_found: "Ese plan ya no está a la venta. Elige otro.",
  error_portal_none: "Todavía no tienes facturas: aparecerán con tu primera compra.",
  error_project_not_found: "Este proyecto no existe o ya no es tuyo. Vuelve a tus proyectos.",
  error_project_not_static: "Este proyecto no es un sitio estático: no se publica desde aquí.",
  error_project_suspended: "Este proyecto está suspendido. Revisa el pago en tu panel.",
  error_promotion_already_used: "Ya has usado un código promocional con esta cuenta",
  error_promotion_own: "Este es tu propio código: no puedes usarlo tú. Compártelo con otras personas.",
  error_promotion_unknown: "Ese código promocional no existe. Comprueba el enlace que te enviaron.",
  error_sign_in_again:
    "Para proteger tu cuenta, esto exige haber entrado hace poco. Cierra sesión, vuelve a entrar (en la línea de comandos, con «nido login») y repítelo en menos de diez minutos.",
  error_signed_out: "Tu sesión ha terminado. Vuelve a entrar.",
  error_storage_full:
    "No queda espacio para esta publicación: la actual y las anteriores llenan tu almacenamiento. Las más antiguas se borran por la noche. Vuelve a intentarlo mañana o publica menos archivos nuevos.",
  error_token_limit: "Ya tienes 50 claves. Revoca una que no uses.",
  error_token_scope: "Esta clave solo permite leer. Usa una que permita publicar.",
  error_too_many_requests: "Demasiados intentos. Espera unos minutos y vuelve a intentarlo.",
  error_passkey_failed: "No conocemos esta llave de acceso, o no se ha confirmado. Prueba de otra forma.",
  error_two_step_required:
    "Tu cuenta necesita la verificación en dos pasos. Actívala en Ajustes, Seguridad, y vuelve a intentarlo.",
  error_proof_needed: "Confirma que eres tú y vuelve a intentarlo.",
  error_second_factor_required:
    "Tu cuenta debe tener un segundo paso para entrar. Configúralo en la pestaña «Seguridad» de Ajustes.",
  error_unknown: "Error desconocido. Contacta con soporte",
  error_username_invalid:
    "Ese usuario no es válido. Usa de 4 a 12 letras, números, puntos, guiones y guiones bajos, sin «admin».",
  error_verification_wrong: "Ese código no es correcto o ha caducado. Mira el mensaje o pide uno nuevo.",
  error_vat_invalid: "Ese NIF o NIF-IVA no es válido. Usa letras y números, como mucho 20.",
  error_wordpress_failed:
    "No hemos podido instalar tu WordPress. Nuestro equipo ya lo sabe y lo volverá a intentar: no tienes que pagar de nuevo.",
  error_wordpress_missing:
    "No hemos podido descargar WordPress. Nuestro equipo ya lo sabe y lo instalará en cuanto sea posible: no tienes que pagar de nuevo.",
};
