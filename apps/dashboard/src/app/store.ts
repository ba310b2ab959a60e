import {
  type ActionName,
  type ActionPayloads,
  type Category,
  type CustomerState,
  defaultCategory,
  type PlanOffer,
  type Project,
  type PublicSettings,
  type Subscription,
  type User,
} from "@nido/contract";
import { createRemoteClient, useRemoteAction } from "@nido/redux-remote/client";
import { configureStore, createSlice, type PayloadAction } from "@reduxjs/toolkit";
import { useMemo } from "react";
import { useDispatch, useSelector } from "react-redux";
import { serverPaths } from "./paths.ts";

export const remote = createRemoteClient<CustomerState>(serverPaths.state);

/** What the server says of itself; null until it has. */
const settings = createSlice({
  name: "settings",
  initialState: null as PublicSettings | null,
  reducers: { settingsLoaded: (_state, { payload }: PayloadAction<PublicSettings>) => payload },
});
export const { settingsLoaded } = settings.actions;

interface Cart {
  category: Category;
  product: PlanOffer | null;
}

/** What the customer is about to buy. */
const cart = createSlice({
  name: "cart",
  initialState: { category: defaultCategory, product: null } as Cart,
  reducers: {
    categoryChosen: (state, { payload }: PayloadAction<Category>) => {
      if (state.category !== payload) return { category: payload, product: null };
      return state;
    },
    productChosen: (state, { payload }: PayloadAction<PlanOffer>) => ({ ...state, product: payload }),
  },
});
const { categoryChosen, productChosen } = cart.actions;

export const store = configureStore({
  reducer: { ...remote.reducers, settings: settings.reducer, cart: cart.reducer },
  middleware: (defaults) => defaults().concat(remote.middleware),
});

type RootState = ReturnType<typeof store.getState>;

export function useIsSignedIn(): boolean {
  return useSelector((state: RootState) => state.remoteStore !== null);
}

/** The signed-in customer. Only for screens that exist when somebody is. */
export function useUser(): User {
  return required(useSelector((state: RootState) => state.remoteStore)).user;
}

export function useProjects(): Record<string, Project> {
  return required(useSelector((state: RootState) => state.remoteStore)).projects;
}

export function useSubscriptions(): Record<string, Subscription> {
  return required(useSelector((state: RootState) => state.remoteStore)).subscriptions;
}

export function useCart(): Cart {
  return useSelector((state: RootState) => state.cart);
}

export function useCartActions() {
  const dispatch = useDispatch();
  return useMemo(
    () => ({
      chooseCategory: (category: Category) => void dispatch(categoryChosen(category)),
      chooseProduct: (offer: PlanOffer) => void dispatch(productChosen(offer)),
    }),
    [dispatch],
  );
}

export function useSettings(): PublicSettings {
  return required(useSelector((state: RootState) => state.settings));
}

export function useAction<Name extends ActionName>(name: Name) {
  return useRemoteAction<ActionPayloads, Name>(name);
}

function required<Value>(value: Value | null): Value {
  if (value === null) throw new Error("a screen was shown before what it needs was loaded");
  return value;
}
