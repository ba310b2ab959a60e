// @vitest-environment happy-dom
import { act, cleanup, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { MemoryRouter, useNavigate } from "react-router";
import { afterEach, expect, test } from "vitest";
import { useCheckoutDraft } from "./useCheckoutDraft.ts";

afterEach(cleanup);

test("the draft is the same object until the query string changes", () => {
  const { result, rerender } = renderHook(() => ({ draft: useCheckoutDraft(), navigate: useNavigate() }), { wrapper });
  const { draft } = result.current;
  expect(draft.domain).toBe("mitienda");
  rerender();
  expect(result.current.draft).toBe(draft);

  act(() => void result.current.navigate(draft.with({ username: "lucia" }).pathTo("purchase")));
  expect(result.current.draft.username).toBe("lucia");
  expect(result.current.draft.domain).toBe("mitienda");
});

function wrapper({ children }: { children: ReactNode }) {
  return <MemoryRouter initialEntries={["/newproject/wp/2?domain=mitienda"]}>{children}</MemoryRouter>;
}
