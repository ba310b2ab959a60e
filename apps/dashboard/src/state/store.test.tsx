// @vitest-environment happy-dom
import type { PlanOffer, PublicSettings } from "@nido/contract";
import { act, cleanup, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { Provider } from "react-redux";
import { afterEach, expect, test, vi } from "vitest";
import { settingsLoaded, store, useCart, useCartActions, useIsSignedIn, useSettings, useUser } from "./store.ts";

afterEach(cleanup);

const wrapper = ({ children }: { children: ReactNode }) => <Provider store={store}>{children}</Provider>;
const offer = { plan: { id: "price_1" } } as PlanOffer;

test("a screen that is shown before its data fails loudly", () => {
  vi.spyOn(console, "error").mockReturnValue();
  expect(renderHook(useIsSignedIn, { wrapper }).result.current).toBe(false);
  expect(() => renderHook(useUser, { wrapper })).toThrow("before");
  expect(() => renderHook(useSettings, { wrapper })).toThrow("before");
  vi.restoreAllMocks();
});

test("settings are there once they are loaded", () => {
  const settings = { brand: "Nido" } as PublicSettings;
  store.dispatch(settingsLoaded(settings));
  expect(renderHook(useSettings, { wrapper }).result.current).toBe(settings);
});

test("the cart keeps the chosen plan until another category is chosen", () => {
  const { result } = renderHook(() => ({ cart: useCart(), ...useCartActions() }), { wrapper });
  expect(result.current.cart).toEqual({ category: "wordpress", product: null });
  act(() => result.current.chooseProduct(offer));
  act(() => result.current.chooseCategory("wordpress"));
  expect(result.current.cart).toEqual({ category: "wordpress", product: offer });
  act(() => result.current.chooseCategory("static"));
  expect(result.current.cart).toEqual({ category: "static", product: null });
});
