import type { ErrorKey } from "@nido/contract";
import type { es as accountEs } from "./accountEs.ts";
import type { es as activityEs } from "./activityEs.ts";
import type { es } from "./es.ts";
import type { es as projectEs } from "./projectEs.ts";
import type { es as wizardEs } from "./wizardEs.ts";

declare module "i18next" {
  interface CustomTypeOptions {
    resources: {
      translation: typeof es & { errors: Record<ErrorKey, string> } & typeof accountEs &
        typeof activityEs &
        typeof projectEs &
        typeof wizardEs;
    };
  }
}
