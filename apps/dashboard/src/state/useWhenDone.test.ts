// @vitest-environment happy-dom
import { cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { useWhenDone } from "./useWhenDone.ts";

afterEach(cleanup);

test("nothing happens before the action is done", () => {
  const { happened, rerender } = watchedAction();
  rerender(false);
  expect(happened).toEqual([]);
});

test("a done action is reset first, then the screen goes on, once", () => {
  const { happened, rerender } = watchedAction();
  rerender(true);
  rerender(true);
  expect(happened).toEqual(["reset", "go on at render 2"]);
});

test("the next time counts again, with what the screen wants by then", () => {
  const { happened, rerender } = watchedAction();
  rerender(true);
  rerender(false);
  rerender(true);
  expect(happened).toEqual(["reset", "go on at render 2", "reset", "go on at render 4"]);
});

function watchedAction() {
  const happened: string[] = [];
  let renders = 0;
  const show = ({ done }: { done: boolean }) => {
    const render = ++renders;
    useWhenDone({ done, reset: () => happened.push("reset") }, () => happened.push(`go on at render ${render}`));
  };
  const { rerender } = renderHook(show, { initialProps: { done: false } });
  return { happened, rerender: (done: boolean) => rerender({ done }) };
}
