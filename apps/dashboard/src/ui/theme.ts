import { useSyncExternalStore } from "react";

export type Theme = "light" | "dark";

const storageKey = "theme";
const system = matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();

/** The stored theme, or the system's if none is stored. */
function currentTheme(): Theme {
  const stored = localStorage.getItem(storageKey);
  if (stored === "light" || stored === "dark") return stored;
  return system.matches ? "dark" : "light";
}

export function chooseTheme(theme: Theme) {
  localStorage.setItem(storageKey, theme);
  show();
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, currentTheme);
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function show() {
  document.documentElement.dataset["theme"] = currentTheme();
  for (const listener of listeners) listener();
}

system.addEventListener("change", show);
// The customer chose a theme in another tab.
addEventListener("storage", show);
