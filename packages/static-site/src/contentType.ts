import mime from "mime";

const textual =
  /^(text\/|application\/(json|javascript|xml|wasm|manifest\+json|.*\+(json|xml))|image\/(svg\+xml|x-icon|bmp)|font\/(ttf|otf))/;

/** The media type by file extension. Text is assumed to be UTF-8. */
export function contentTypeOf(path: string): string {
  const type = mime.getType(path) ?? "application/octet-stream";
  return type.startsWith("text/") || type === "application/json" ? `${type}; charset=utf-8` : type;
}

/** Whether compression is worthwhile for this type of file. */
export function isCompressible(path: string): boolean {
  return textual.test(contentTypeOf(path));
}
