import { errorTexts as errorsEn } from "@nido/contract/errorTexts/en";
import { errorTexts as errorsEs } from "@nido/contract/errorTexts/es";

const es = {
  errors: errorsEs,
  locale: "es",
  domainStatus: { pending: "pendiente", verified: "verificado", failing: "con problemas" },
  about: "Publica sitios estáticos desde la línea de comandos.",
  titles: { usage: "Uso:", commands: "Comandos:", options: "Opciones:", general: "Opciones generales:" },
  values: {
    command: "comando",
    options: "opciones",
    name: "nombre",
    id: "id",
    folder: "carpeta",
    text: "texto",
    token: "clave",
    address: "dirección",
    number: "número",
  },
  commands: {
    login: "entra en tu cuenta desde el navegador",
    logout: "sale de tu cuenta en este equipo",
    whoami: "dice con qué cuenta has entrado",
    init: "crea nido.json: qué proyecto y qué carpeta se publican",
    publish: "publica una carpeta",
    list: "lista tus sitios estáticos",
    deploys: "lista las publicaciones de un proyecto",
    rollback: "vuelve a mostrar una publicación anterior",
    open: "abre el sitio en el navegador",
    domains: "lista los dominios de un proyecto",
    "tokens create": "crea una clave para CI y la muestra una sola vez",
    "tokens list": "lista las claves",
    "tokens revoke": "revoca una clave",
  },
  options: {
    project: "el proyecto; si no, el de nido.json",
    dir: "la carpeta; si no, la de nido.json",
    message: "una nota para recordar qué cambia",
    branch: "publica en una rama, con su propia dirección",
    dryRun: "solo dice qué cambiaría",
    readOnly: "la clave solo permite leer, no publicar",
    days: "días hasta que caduque la clave, 365 como mucho",
    json: "escribe el resultado como JSON",
    yes: "no pregunta nada",
    token: "una clave, en vez de iniciar sesión (o NIDO_TOKEN)",
    server: "la dirección del servidor (o NIDO_SERVER)",
    noColor: "sin colores",
    device: "entra con un código, desde otro equipo",
    help: "muestra esta ayuda",
    version: "muestra la versión",
  },
  after: `Para empezar:
  nido login            entra en tu cuenta
  nido init             elige proyecto y carpeta
  nido publish          publica; repítelo tras cada cambio
  nido rollback         deshace la última publicación

En CI: crea una clave con «nido tokens create NOMBRE» y guárdala como NIDO_TOKEN.
Con --project PROYECTO, la clave solo sirve para ese proyecto.
Los archivos que no quieras publicar, en .nidoignore (como .gitignore), junto a nido.json.

«nido COMANDO --help» explica cada comando.
Códigos de salida: 0 bien, 1 fallo, 2 uso, 3 sin entrar, 4 hace falta preguntar, 5 límite del plan.`,
  commandUnknown: (name: string, alike?: string) =>
    `No existe el comando «${name}».${alike ? ` ¿Querías decir «${alike}»?` : ""} Mira «nido --help».`,
  optionUnknown: (flag: string, help: string) => `${flag} no es una opción de este comando. Mira «${help}».`,
  valueMissing: (flag: string) => `Falta el valor de ${flag}.`,
  valueUnexpected: (flag: string) => `${flag} no lleva valor.`,
  argumentMissing: (what: string) => `Falta: <${what}>.`,
  argumentExtra: (word: string) => `Sobra «${word}».`,
  server: "No sé con qué servidor hablar. Pasa --server https://… o define NIDO_SERVER.",
  serverInvalid: (text: string) => `«${text}» no es la dirección de un servidor.`,
  signedOut: "No has entrado. Ejecuta «nido login», o define NIDO_TOKEN.",
  tokenInvalid:
    "La clave de --token o NIDO_TOKEN no es válida, ha caducado o se ha revocado. Crea otra con «nido tokens create NOMBRE».",
  promptNeeded: (options: string) => `Hace falta preguntar y no hay nadie al teclado. Pasa ${options}.`,
  opening: (url: string) => `Abre esta dirección en tu navegador:\n\n  ${url}\n`,
  deviceCode: (code: string, url: string) => `Abre ${url}\ny comprueba que el código es:\n\n  ${code}\n`,
  waiting: "Esperando a que des permiso…",
  loginTimeout: "Nadie ha dado permiso a tiempo. Vuelve a ejecutar «nido login».",
  loggedIn: (email: string) => `Has entrado como ${email}.`,
  loggedOut: "Has salido.",
  settingsBroken: (file: string) => `${file} no es JSON válido. Corrígelo o vuelve a ejecutar «nido init».`,
  whichProject: "¿Qué proyecto se publica?",
  whichNumber: "Número o nombre:",
  whichFolder: (usual: string) => `¿Qué carpeta se publica? (${usual})`,
  noProjects: "No tienes ningún sitio estático. Crea uno en tu panel.",
  cancelled: "Cancelado.",
  initDone: (project: string, folder: string) => `nido.json: ${project} se publica desde la carpeta «${folder}».`,
  folderMissing: (folder: string) => `No existe la carpeta ${folder}. ¿Has construido el sitio?`,
  folderEmpty: (folder: string) => `En ${folder} no hay nada que publicar.`,
  noIndex: "No hay index.html: la portada no mostrará nada.",
  refusedSecrets: (files: string) =>
    `Parecen secretos, y no se publican:\n${files}\nSácalos de la carpeta, o añádelos a .nidoignore.`,
  refusedLinks: (files: string) =>
    `Los enlaces simbólicos no se publican:\n${files}\nCópialos, o añádelos a .nidoignore.`,
  refusedHidden: (files: string) => `Los archivos ocultos no se publican:\n${files}\nAñádelos a .nidoignore.`,
  refusedNames: (files: string) => `Estos nombres no se pueden publicar:\n${files}`,
  brokenLinks: (count: number, lines: string) =>
    `${count} ${count === 1 ? "enlace interno no lleva" : "enlaces internos no llevan"} a nada:\n${lines}`,
  ruleFault: (file: string, line: number, text: string) => `${file}, línea ${line}: no se tendrá en cuenta «${text}».`,
  hashing: "Mirando archivos",
  sending: "Enviando",
  changedMeanwhile: "Algo ha cambiado mientras se publicaba. Empezando de nuevo…",
  published: (url: string) => `Publicado en ${url}`,
  changes: (added: number, changed: number, removed: number) => `archivos: +${added} ~${changed} -${removed}`,
  dryRun: (text: string) => `Se publicaría: ${text}. No se ha enviado nada.`,
  rolledBack: (url: string, id: string) => `${url} muestra ahora la publicación ${id}.`,
  nothingBefore: "Antes de lo que se muestra ahora no se publicó nada.",
  noDeploys: "Todavía no has publicado nada en este proyecto.",
  live: "en línea",
  files: (count: number) => `${count} ${count === 1 ? "archivo" : "archivos"}`,
  tokenCreated: "Guárdala ahora: no se volverá a mostrar.",
  tokenRevoked: "Revocada.",
  daysInvalid: (max: number) => `--days debe ser un número entero de 1 a ${max}.`,
  allProjects: "todos los proyectos",
  access: { publish: "publicar y leer", read: "solo leer" },
  expires: (date: string) => `caduca el ${date}`,
  storageLow: (percent: number) =>
    `Tus publicaciones, incluidas las anteriores, ocupan ya el ${percent} % de tu almacenamiento. Las más antiguas se borran por la noche. Si se llena antes, no podrás publicar hasta el día siguiente.`,
  noTokens: "No hay ninguna clave.",
  never: "nunca usada",
  pending: "pendiente",
};
export type Texts = typeof es;

const en: Texts = {
  errors: errorsEn,
  locale: "en-GB",
  domainStatus: { pending: "pending", verified: "verified", failing: "failing" },
  about: "Publishes static sites from the command line.",
  titles: { usage: "Usage:", commands: "Commands:", options: "Options:", general: "General options:" },
  values: {
    command: "command",
    options: "options",
    name: "name",
    id: "id",
    folder: "folder",
    text: "text",
    token: "token",
    address: "address",
    number: "number",
  },
  commands: {
    login: "sign in to your account in the browser",
    logout: "sign out on this machine",
    whoami: "say which account you are signed in to",
    init: "make nido.json: which project, and which folder is published",
    publish: "publish a folder",
    list: "list your static sites",
    deploys: "list what was published to a project",
    rollback: "show an earlier deploy again",
    open: "open the site in the browser",
    domains: "list a project's domains",
    "tokens create": "make a token for CI and show it, once",
    "tokens list": "list the tokens",
    "tokens revoke": "revoke a token",
  },
  options: {
    project: "the project; otherwise nido.json's",
    dir: "the folder; otherwise nido.json's",
    message: "a note, to remember what changed",
    branch: "publish to a branch, which has its own address",
    dryRun: "only say what would change",
    readOnly: "the token can only read, not publish",
    days: "days until the token expires, 365 at most",
    json: "write the result as JSON",
    yes: "ask nothing",
    token: "a token, instead of being signed in (or NIDO_TOKEN)",
    server: "the server's address (or NIDO_SERVER)",
    noColor: "without colours",
    device: "sign in with a code, from another machine",
    help: "show this help",
    version: "show the version",
  },
  after: `To begin:
  nido login            sign in to your account
  nido init             choose project and folder
  nido publish          publish; again after each change
  nido rollback         undo the last publication

In CI: make a token with "nido tokens create NAME" and keep it as NIDO_TOKEN.
With --project PROJECT, the token works for that project only.
Files that you do not want to publish: in .nidoignore (like .gitignore), beside nido.json.

"nido COMMAND --help" explains each command.
Exit codes: 0 fine, 1 failed, 2 usage, 3 not signed in, 4 a question is needed, 5 plan limit.`,
  commandUnknown: (name, alike) =>
    `There is no command "${name}".${alike ? ` Did you mean "${alike}"?` : ""} See "nido --help".`,
  optionUnknown: (flag, help) => `${flag} is not an option of this command. See "${help}".`,
  valueMissing: (flag) => `${flag} needs a value.`,
  valueUnexpected: (flag) => `${flag} takes no value.`,
  argumentMissing: (what) => `Missing: <${what}>.`,
  argumentExtra: (word) => `Unexpected argument "${word}".`,
  server: "I do not know which server to speak with. Pass --server https://… or set NIDO_SERVER.",
  serverInvalid: (text) => `"${text}" is not a server's address.`,
  signedOut: 'You are not signed in. Run "nido login", or set NIDO_TOKEN.',
  tokenInvalid:
    "The token in --token or NIDO_TOKEN is not valid, has expired or was revoked. Make a new one: nido tokens create NAME.",
  promptNeeded: (options) => `A question is needed, and nobody is at the keyboard. Pass ${options}.`,
  opening: (url) => `Open this address in your browser:\n\n  ${url}\n`,
  deviceCode: (code, url) => `Open ${url}\nand check that the code is:\n\n  ${code}\n`,
  waiting: "Waiting for you to give access…",
  loginTimeout: 'Nobody gave access in time. Run "nido login" again.',
  loggedIn: (email) => `You are signed in as ${email}.`,
  loggedOut: "You are signed out.",
  settingsBroken: (file) => `${file} is not valid JSON. Correct it, or run "nido init" again.`,
  whichProject: "Which project is published?",
  whichNumber: "Number or name:",
  whichFolder: (usual) => `Which folder is published? (${usual})`,
  noProjects: "You have no static site. Make one in your dashboard.",
  cancelled: "Cancelled.",
  initDone: (project, folder) => `nido.json: ${project} is published from the folder "${folder}".`,
  folderMissing: (folder) => `There is no folder ${folder}. Have you built the site?`,
  folderEmpty: (folder) => `There is nothing to publish in ${folder}.`,
  noIndex: "There is no index.html: the home page will show nothing.",
  refusedSecrets: (files) =>
    `These look like secrets, and are not published:\n${files}\nTake them out of the folder, or add them to .nidoignore.`,
  refusedLinks: (files) => `Symbolic links are not published:\n${files}\nCopy them, or add them to .nidoignore.`,
  refusedHidden: (files) => `Hidden files are not published:\n${files}\nAdd them to .nidoignore.`,
  refusedNames: (files) => `These names cannot be published:\n${files}`,
  brokenLinks: (count, lines) => `${count} internal ${count === 1 ? "link leads" : "links lead"} nowhere:\n${lines}`,
  ruleFault: (file, line, text) => `${file}, line ${line}: "${text}" will be ignored.`,
  hashing: "Looking at files",
  sending: "Sending",
  changedMeanwhile: "Something changed while it was published. Starting over…",
  published: (url) => `Published at ${url}`,
  changes: (added, changed, removed) => `files: +${added} ~${changed} -${removed}`,
  dryRun: (text) => `Would publish: ${text}. Nothing was sent.`,
  rolledBack: (url, id) => `${url} now shows the deploy ${id}.`,
  nothingBefore: "Nothing was published before what is shown now.",
  noDeploys: "Nothing has been published to this project yet.",
  live: "live",
  files: (count) => `${count} ${count === 1 ? "file" : "files"}`,
  tokenCreated: "Keep it now: it will not be shown again.",
  tokenRevoked: "Revoked.",
  daysInvalid: (max: number) => `--days must be a whole number from 1 to ${max}.`,
  allProjects: "all projects",
  access: { publish: "publish and read", read: "read only" },
  expires: (date: string) => `expires ${date}`,
  storageLow: (percent: number) =>
    `Your deploys, earlier ones included, use ${percent}% of your storage. The oldest are removed at night. If it fills up before that, you cannot publish until the next day.`,
  noTokens: "There are no tokens.",
  never: "never used",
  pending: "pending",
};

export const texts = { es, en };
export type Lang = keyof typeof texts;
