import type { es as accountEs } from "./accountEs.ts";
import type { es as activityEs } from "./activityEs.ts";
import type { es } from "./es.ts";
import type { es as projectEs } from "./projectEs.ts";
import type { es as wizardEs } from "./wizardEs.ts";

type Translated<Tree> = { readonly [Key in keyof Tree]: Tree[Key] extends string ? string : Translated<Tree[Key]> };

/** The shape of all texts. A language that lacks one does not compile. */
export type Texts = Translated<typeof es>;
export type AccountTexts = Translated<typeof accountEs>;
export type ActivityTexts = Translated<typeof activityEs>;
export type ProjectTexts = Translated<typeof projectEs>;
export type WizardTexts = Translated<typeof wizardEs>;
