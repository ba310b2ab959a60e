import type { es as accountEs } from "./accountEs.ts";
import type { es } from "./es.ts";

declare module "i18next" {
  interface CustomTypeOptions {
    resources: { translation: typeof es & typeof accountEs };
  }
}
