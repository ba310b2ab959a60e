import { useSyncExternalStore } from "react";

export type Theme = "light" | "dark";
export type ThemeChoice = Theme | "system";

const storageKey = "theme";
const system = matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();

function storedChoice(): ThemeChoice {
  const stored = localStorage.getItem(storageKey);
  return stored === "light" || stored === "dark" ? stored : "system";
}

/** The stored theme, or the system's if none is stored. */
function currentTheme(): Theme {
  const choice = storedChoice();
  if (choice !== "system") return choice;
  return system.matches ? "dark" : "light";
}

export function chooseTheme(choice: ThemeChoice) {
  if (choice === "system") localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, choice);
  show();
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, currentTheme);
}

export function useThemeChoice(): ThemeChoice {
  return useSyncExternalStore(subscribe, storedChoice);
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
