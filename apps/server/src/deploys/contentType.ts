import mime from "mime";

const textual =
  /^(text\/|application\/(json|javascript|xml|wasm|manifest\+json|.*\+(json|xml))|image\/(svg\+xml|x-icon|bmp)|font\/(ttf|otf))/;

/** What a file is, by its name; text is taken for UTF-8. */
export function contentTypeOf(path: string): string {
  const type = mime.getType(path) ?? "application/octet-stream";
  return type.startsWith("text/") || type === "application/json" ? `${type}; charset=utf-8` : type;
}

/** Whether it becomes much smaller when it is compressed. */
export function isCompressible(path: string): boolean {
  return textual.test(contentTypeOf(path));
}
