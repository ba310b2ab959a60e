import type { es as accountEs } from "./accountEs.ts";
import type { es } from "./es.ts";

type Translated<Tree> = { readonly [Key in keyof Tree]: Tree[Key] extends string ? string : Translated<Tree[Key]> };

/** The shape of all texts. A language that lacks one does not compile. */
export type Texts = Translated<typeof es>;
export type AccountTexts = Translated<typeof accountEs>;
