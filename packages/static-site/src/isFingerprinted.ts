/** The names of all files in these folders change with their content: Next, SvelteKit, Astro, Nuxt. */
const immutableFolders = /^(?:[^/]+\/)?(_next\/static|_app\/immutable|_astro|_nuxt)\//;
/** Bundlers write files with digests into these folders, and some sites put others there, too: Vite, VitePress, Create React App. */
const bundledFolders = /(^|\/)(assets|_assets|static\/(js|css|media)|build|chunks|dist|bundles)\//;
/** Angular's, without the folder: fonts, and what its application loads first. */
const angularFile =
  /(^|\/)(media\/[^/]*|(main|polyfills|styles|scripts|runtime|chunk|common|worker))-[A-Z2-7]{8}\.\w+$/;

const asset = /\.(css|js|mjs|woff2?|ttf|otf|eot|png|jpe?g|webp|avif|gif|svg|ico|mp4|webm|mp3|wasm|map)$/;
/** With fonts: what people rarely name by themselves. Pictures and films have the names of cameras, too. */
const code = /\.(css|js|mjs|woff2?|ttf|otf|eot|wasm|map)$/;

/** What may be a digest: the words of a file's name, divided by dots, and by its last hyphens. */
const hexadecimal = /[.-]((?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{8,})(?=[.-])/;
const longHexadecimal = /[.-]((?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{16,})(?=[.-])/;
const digits = /\.(\d{8})(?=\.)/;
const date = /^((19|20)\d\d(0[1-9]|1[0-2])([0-2]\d|3[01])|([0-2]\d|3[01])(0[1-9]|1[0-2])(19|20)\d\d)$/;
const base64 = /[.-]([\w-]{8})(?:\.lean)?\.\w+$/;
const base32 = /-([A-Z0-9]{8})\.\w+$/;

/**
 * Whether a bundler named the file by its content, so that it never changes. A wrong yes would show visitors an old file
 * for a year, so names that people give (`hero-Summer2026.jpg`) count nowhere, and unusual ones only where bundlers write
 * code. Of pictures and films only those count that nobody would call so: `logo-DkRwTmZs.svg`, and not `x-DSC00012.jpg`.
 */
export function isFingerprinted(path: string): boolean {
  if (!asset.test(path)) return false;
  if (immutableFolders.test(path)) return true;
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (longHexadecimal.test(name)) return true;
  const isBundled = bundledFolders.test(path);
  const isCode = code.test(path);
  if (!isBundled && !isCode) return false;
  if (hexadecimal.test(name)) return true;
  const text = base64.exec(name)?.[1];
  if (!isCode) return isMixed(text);
  if (angularFile.test(path)) return true;
  const number = digits.exec(name)?.[1];
  if (number !== undefined) return !date.test(number);
  if (isBundled) return text !== undefined && !isOrdinary(text);
  return isDigest(base32.exec(name)?.[1]) || isMixed(text);
}

/** What people call files, within eight letters: words and numbers, joined by a hyphen or by a capital letter. */
const ordinaryShapes = [
  /^([A-Z]?[a-z]+|[A-Z]+)\d*$/,
  /^([A-Z]?[a-z]{2,}[A-Z][a-z]{2,}|[A-Z]?[a-z][A-Z][a-z]{3,}|[A-Z]?[a-z]{4,}[A-Z][a-z])\d*$/,
  /^[a-z]+\dx$/,
  /^[a-z]+\d*([-_][a-z\d]+)+$/,
  /^\d+[a-z]?[-_][a-z]+$/,
  /^[A-Z]?[a-z]+[-_]([A-Z]?[a-z]+|\d+)$/,
];
const ordinaryNumber = /^(\d+x\d+|[A-Z]+[-_]\d+|[\d_-]+)$/;

/** One of 200 random texts is taken for a name. */
function isOrdinary(text: string): boolean {
  return ordinaryNumber.test(text) || (ordinaryShapes.some((shape) => shape.test(text)) && isPronounceable(text));
}

function isPronounceable(text: string): boolean {
  const words = text.match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? [];
  const isWord = (word: string) =>
    word.length < 2 || (/[aeiouy]/i.test(word) && !/[^aeiouy]{5}|[aeiou]{4}/i.test(word));
  const count = (letters: RegExp) => (text.match(letters) ?? []).length;
  return words.every(isWord) && count(/[jqxz]/gi) < 2 && count(/[jkqvwxz]/gi) < 3;
}

/** Not a word, a date or a version: random letters change between kinds within the text. */
function isDigest(text = ""): boolean {
  if (text.length < 8 || /^[A-Z]?[a-z]+[-_]?\d*$|^[A-Z]+\d*$|^[\d_-]+$/.test(text)) return false;
  if (text.split(/[-_]/).every((word) => /^([A-Z]?[a-z]*|[A-Z]*|\d*)$/.test(word))) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/].filter((kind) => kind.test(text)).length;
  return kinds >= 2;
}

/** Large and small letters in more parts than a name of words and numbers has: `Ab12Cd34`, and not `UiTheme1`. */
function isMixed(text = ""): boolean {
  return (
    isDigest(text) &&
    /[a-z]/.test(text) &&
    /[A-Z]/.test(text) &&
    (text.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? []).length >= 4
  );
}
