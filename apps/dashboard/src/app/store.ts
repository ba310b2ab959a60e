import type { ActionName, ActionPayloads, CustomerState, PublicSettings, User } from "@nido/contract";
import { createRemoteClient, useRemoteAction } from "@nido/redux-remote/client";
import { configureStore, createSlice, type PayloadAction } from "@reduxjs/toolkit";
import { useSelector } from "react-redux";
import { serverPaths } from "./paths.ts";

export const remote = createRemoteClient<CustomerState>(serverPaths.state);

/** What the server says of itself; null until it has. */
const settings = createSlice({
  name: "settings",
  initialState: null as PublicSettings | null,
  reducers: { settingsLoaded: (_state, { payload }: PayloadAction<PublicSettings>) => payload },
});
export const { settingsLoaded } = settings.actions;

export const store = configureStore({
  reducer: { ...remote.reducers, settings: settings.reducer },
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
