export const imageForms = ["avif", "webp"] as const;
export type ImageForm = (typeof imageForms)[number];

export function hasForms(path: string): boolean {
  return /^uploads\/.*\.(jpe?g|png)$/i.test(path);
}

/** The form in which a visitor wants an image on a page. Who opens or saves the image itself gets it as it is. */
export function formFor(accept = ""): ImageForm | undefined {
  if (accept.includes("text/html")) return undefined;
  const types = accept.split(",").map((part) =>
    part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/),
  );
  return imageForms.find((form) =>
    types.some(([type, ...params]) => type === `image/${form}` && !params.some((param) => /^q=0(\.0*)?$/.test(param))),
  );
}
