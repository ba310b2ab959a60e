import {
  type ActionName,
  type ActionPayloads,
  type Category,
  type CustomerState,
  defaultCategory,
  type PendingPurchase,
  type PlanOffer,
  type Project,
  type PublicSettings,
  type Subscription,
  type User,
} from "@nido/contract";
import { createRemoteClient, useRemoteAction } from "@nido/redux-remote/client";
import { configureStore, createAction, type Middleware, type UnknownAction } from "@reduxjs/toolkit";
import i18next from "i18next";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useDispatch, useSelector } from "react-redux";
import { serverPaths } from "../paths.ts";
import { announce } from "./announcement.ts";
import { keepFocus } from "./keepFocus.ts";
import { requestProof } from "./proof.ts";

export const remote = createRemoteClient<CustomerState>(serverPaths.state);

export const settingsLoaded = createAction<PublicSettings>("settings/loaded");
const categoryChosen = createAction<Category>("cart/categoryChosen");
const productChosen = createAction<PlanOffer>("cart/productChosen");

/** The server's public settings; null until they are loaded. */
function settings(state: PublicSettings | null = null, action: UnknownAction): PublicSettings | null {
  return settingsLoaded.match(action) ? action.payload : state;
}

interface Cart {
  category: Category;
  product: PlanOffer | null;
}

/** Whether the session ended while the page was open: it expired, or was ended elsewhere. */
function wasEnded(state = false, action: UnknownAction): boolean {
  return state || action.type === "@redux-remote/signedOut";
}

/** The product that the customer is about to buy. A plain reducer: `createSlice` would add 5 kB for two of them. */
function cart(state: Cart = { category: defaultCategory, product: null }, action: UnknownAction): Cart {
  if (categoryChosen.match(action) && action.payload !== state.category)
    return { category: action.payload, product: null };
  return productChosen.match(action) ? { ...state, product: action.payload } : state;
}

/** Every remote action that succeeds says so. */
const announceSuccess: Middleware = () => (next) => (action) => {
  const { type } = action as UnknownAction;
  const name = /^@redux-remote\/(.+)_SUCCESS$/.exec(type)?.[1] as ActionName | undefined;
  if (name) announce(i18next.t(`done.${name}`));
  return next(action);
};

export const store = configureStore({
  reducer: { ...remote.reducers, settings, cart, wasEnded },
  middleware: (defaults) => defaults().concat(remote.middleware, announceSuccess),
});

type RootState = ReturnType<typeof store.getState>;

export function useIsSignedIn(): boolean {
  return useSelector((state: RootState) => state.remoteStore !== null);
}

/** What the visitor can see: the dashboard, the sign-in, or that their account is closed. */
export function useAccess(): "signedIn" | "signedOut" | "closed" {
  return useSelector(({ remoteStore }: RootState) => {
    if (!remoteStore) return "signedOut";
    return remoteStore.user.removal_at ? "closed" : "signedIn";
  });
}

export function useWasEnded(): boolean {
  return useSelector((state: RootState) => state.wasEnded && state.remoteStore === null);
}

export function useIsConnectionLost(): boolean {
  return useSelector((state: RootState) => state.remoteLost);
}

/** The customer, if somebody is signed in. */
export function useUserIfSignedIn(): User | undefined {
  return useSelector((state: RootState) => state.remoteStore?.user);
}

/** The signed-in customer. Throws on screens that are shown without a session. */
export function useUser(): User {
  return required(useSelector((state: RootState) => state.remoteStore)).user;
}

export function useProjects(): Record<string, Project> {
  return required(useSelector((state: RootState) => state.remoteStore)).projects;
}

/** The customer's project of this id, which may come from the address. */
export function useProject(id: string): Project | undefined {
  const projects = useProjects();
  return Object.hasOwn(projects, id) ? projects[id] : undefined;
}

export function useSubscriptions(): Record<string, Subscription> {
  return required(useSelector((state: RootState) => state.remoteStore)).subscriptions;
}

/** Purchases whose payment takes days. */
export function usePurchases(): PendingPurchase[] {
  // A server that has not been updated yet does not send them.
  return Object.values(required(useSelector((state: RootState) => state.remoteStore)).purchases ?? {});
}

/** Changes when there is something new in the activity log. */
export function useLatestActivity(): number {
  return required(useSelector((state: RootState) => state.remoteStore)).activity;
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

/** A remote action. If it needs a recent proof, the customer is asked for it, and the action is sent again. */
export function useAction<Name extends ActionName>(name: Name) {
  const { trigger: send, ...progress } = useRemoteAction<ActionPayloads, Name>(name);
  const unproven = useRef<ActionPayloads[Name]>(undefined);
  const [isAsking, setIsAsking] = useState(false);
  const needsProof = progress.error?.error === "error_proof_needed";
  useEffect(() => {
    const payload = unproven.current;
    if (!needsProof || payload === undefined) return;
    unproven.current = undefined;
    setIsAsking(true);
    void requestProof().then((isProven) => {
      setIsAsking(false);
      if (isProven) send(payload);
    });
  }, [needsProof, send]);

  const release = useRef<() => void>(undefined);
  const inProgress = progress.inProgress || isAsking;
  useEffect(() => {
    if (inProgress) return;
    release.current?.();
    release.current = undefined;
  }, [inProgress]);

  const trigger = useCallback(
    (payload: ActionPayloads[Name]) => {
      release.current = keepFocus();
      unproven.current = payload;
      send(payload);
    },
    [send],
  );
  return {
    ...progress,
    trigger,
    inProgress,
    error: isAsking ? null : progress.error,
  };
}

function required<Value>(value: Value | null): Value {
  if (value === null) throw new Error("A screen was shown before its state was loaded");
  return value;
}
