import { categories, isSiteName, isUsername, languages } from "@nido/contract";
import { z } from "zod";

/** The body of a checkout request. The site's name is checked by the rules that the wizard shows. */
export const checkoutSchema = z
  .strictObject({
    project_name: z.string().max(60).refine(isSiteName, "error_name_invalid"),
    promo: z
      .string()
      .max(60)
      .trim()
      .transform((code) => code.toLowerCase()),
    locale: z.enum(languages),
    category: z.enum(categories),
    username: z.string().max(60),
  })
  .transform((input) => (input.category === "static" ? { ...input, username: "" } : input))
  .refine((input) => input.category === "static" || isUsername(input.username), "error_username_invalid");

export type CheckoutInput = z.output<typeof checkoutSchema>;
