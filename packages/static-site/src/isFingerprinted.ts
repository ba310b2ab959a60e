/** The names of all files in these folders change with their content: Next, SvelteKit, Astro. */
const immutableFolders = /^(?:[^/]+\/)?(_next\/static|_app\/immutable|_astro)\//;
/** Bundlers write files with digests into these folders, and some sites put others there, too: Vite, Nuxt, Create React App. */
const bundledFolders = /(^|\/)(assets|_nuxt|_assets|static\/(js|css|media)|build|chunks|dist|bundles)\//;

const asset = /\.(css|js|mjs|woff2?|ttf|otf|eot|png|jpe?g|webp|avif|gif|svg|ico|mp4|webm|mp3|wasm|map)$/;
const code = /\.(css|js|mjs|woff2?|wasm|map)$/;

/** What may be a digest: the words of a file's name, divided by dots, and by its last hyphens. */
const hexadecimal = /[.-]((?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{8,})(?=[.-])/;
const longHexadecimal = /[.-]((?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{16,})(?=[.-])/;
const base64 = /[.-]([\w-]{8})(?:\.lean)?\.\w+$/;
const wholeBase64 = /^([\w-]{8})\.\w+$/;
const base32 = /-([A-Z0-9]{8})\.\w+$/;

/**
 * Whether a bundler named the file by its content, so that it never changes. A wrong yes would show visitors an old file
 * for a year, so names that people give (`hero-Summer2026.jpg`) count only where bundlers write.
 */
export function isFingerprinted(path: string): boolean {
  if (!asset.test(path)) return false;
  if (immutableFolders.test(path)) return true;
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (longHexadecimal.test(name)) return true;
  const isBundled = bundledFolders.test(path);
  if ((isBundled || code.test(path)) && hexadecimal.test(name)) return true;
  if (isBundled) return [base64, wholeBase64].some((pattern) => isMixed(pattern.exec(name)?.[1]));
  if (!code.test(path)) return false;
  return isDigest(base32.exec(name)?.[1]) || isMixed(base64.exec(name)?.[1]);
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
