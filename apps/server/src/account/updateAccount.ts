import type { ActionPayloads } from "@nido/contract";
import type { Tx } from "../db/connect.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { type UserChange, updateUser } from "./queries.ts";

export function updateAddress(tx: Tx, userId: string, payload: ActionPayloads["UPDATE_USER_ADDRESS"]) {
  const {
    user_address: address,
    user_city: city,
    user_state: state,
    user_zipcode: zipcode,
    user_country: country,
  } = payload;
  return update(tx, userId, { address, city, state, zipcode, country });
}

export function updatePhone(tx: Tx, userId: string, { phone }: ActionPayloads["UPDATE_USER_PHONE"]) {
  return update(tx, userId, { phone });
}

export function updateCompany(tx: Tx, userId: string, payload: ActionPayloads["UPDATE_USER_COMPANY"]) {
  return update(tx, userId, { companyName: payload.company, vatNumber: payload.vat_number });
}

export function updateLanguage(tx: Tx, userId: string, { lang }: ActionPayloads["UPDATE_USER_LANGUAGE"]) {
  return update(tx, userId, { lang });
}

/** The provider, where it knows the customer, is told by a job. */
async function update(tx: Tx, userId: string, change: UserChange) {
  const user = await updateUser(tx, userId, change);
  if (user?.providerId) await enqueue(tx, "syncCustomer", { userId });
}
