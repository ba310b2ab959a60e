import type { ActionPayloads } from "@nido/contract";
import type { Tx } from "../db/connect.ts";
import { updateUser } from "./queries.ts";

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

export function updatePhone(tx: Tx, userId: string, { phone }: ActionPayloads["UPDATE_USER_PHONE"]) {
  return updateUser(tx, userId, { phone });
}

export function updateCompany(tx: Tx, userId: string, payload: ActionPayloads["UPDATE_USER_COMPANY"]) {
  return updateUser(tx, userId, { companyName: payload.company, vatNumber: payload.vat_number });
}

export function updateMutedMail(tx: Tx, userId: string, { muted }: ActionPayloads["UPDATE_MUTED_MAIL"]) {
  return updateUser(tx, userId, { mutedMail: [...new Set(muted)] });
}

export function updateLanguage(tx: Tx, userId: string, { lang }: ActionPayloads["UPDATE_USER_LANGUAGE"]) {
  return updateUser(tx, userId, { lang });
}
