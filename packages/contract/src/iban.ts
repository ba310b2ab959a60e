import { z } from "zod";

export const ibanMaxLength = 42;

/** `PUT /api/referral/iban`: an account number, with or without spaces. */
export const ibanSchema = z.strictObject({
  iban: z
    .string()
    .max(ibanMaxLength, { error: "error_iban_invalid", abort: true })
    .transform((typed) => typed.replace(/[\s-]/g, "").toUpperCase())
    .refine(isIban, { error: "error_iban_invalid" }),
});

/** Checks the form and the check digits (ISO 13616). */
function isIban(iban: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return false;
  const rearranged = iban.slice(4) + iban.slice(0, 4);
  const digits = rearranged.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  let rest = 0;
  for (const digit of digits) rest = (rest * 10 + Number(digit)) % 97;
  return rest === 1;
}
