import { useSyncExternalStore } from "react";

const shownForMs = 5000;

let current: { text: string } | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** Says what has just succeeded, for a few seconds, on whatever screen is shown by then. */
export function announce(text: string) {
  clearTimeout(timer);
  set({ text });
  timer = setTimeout(() => set(undefined), shownForMs);
}

/** A new object for each announcement, even of the same text. */
export function useAnnouncement(): { text: string } | undefined {
  return useSyncExternalStore(subscribe, () => current);
}

function set(next: typeof current) {
  current = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
