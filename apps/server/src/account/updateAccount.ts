import { type ActionPayloads, isTelephone, isVatNumber } from "@nido/contract";
import type { Tx } from "../db/connect.ts";
import { AppError } from "../platform/AppError.ts";
import { findUser, updateUser } from "./queries.ts";

export function updateAddress(tx: Tx, userId: string, payload: ActionPayloads["UPDATE_USER_ADDRESS"]) {
  const {
    user_address: address,
    user_city: city,
    user_state: state,
    user_zipcode: zipcode,
    user_country: country,
  } = payload;
  return updateUser(tx, userId, { address, city, state, zipcode, country });
}

export async function updatePhone(tx: Tx, userId: string, { phone }: ActionPayloads["UPDATE_USER_PHONE"]) {
  if (!isTelephone(phone, await countryOf(tx, userId))) throw new AppError("error_phone_invalid");
  return updateUser(tx, userId, { phone });
}

export async function updateCompany(tx: Tx, userId: string, payload: ActionPayloads["UPDATE_USER_COMPANY"]) {
  if (!isVatNumber(payload.vat_number, await countryOf(tx, userId))) throw new AppError("error_vat_invalid");
  return updateUser(tx, userId, { companyName: payload.company, vatNumber: payload.vat_number });
}

async function countryOf(tx: Tx, userId: string): Promise<string> {
  return (await findUser(tx, userId))?.country ?? "";
}

export function updateMutedMail(tx: Tx, userId: string, { muted }: ActionPayloads["UPDATE_MUTED_MAIL"]) {
  return updateUser(tx, userId, { mutedMail: [...new Set(muted)] });
}

export function updateLanguage(tx: Tx, userId: string, { lang }: ActionPayloads["UPDATE_USER_LANGUAGE"]) {
  return updateUser(tx, userId, { lang });
}
