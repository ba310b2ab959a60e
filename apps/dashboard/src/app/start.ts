import type { PublicSettings } from "@nido/contract";
import { api } from "../api/api.ts";
import { chooseLanguage, preferredLanguage, showLanguage, startLanguage } from "../i18n/language.ts";
import { serverPaths } from "../paths.ts";
import { remote, settingsLoaded, store } from "../state/store.ts";

const pause = 3000;

/**
 * Loads what the first screen needs: texts, settings, and the customer's state if there is one. A server that
 * cannot be reached is asked again until it answers.
 */
export async function start(onUnreachable: () => void): Promise<void> {
  await startLanguage();
  const state = remote.start().then(followLanguage);
  await Promise.all([until(loadSettings, onUnreachable), state.catch((error) => retryUnlessSignedOut(error))]);
}

async function loadSettings() {
  store.dispatch(settingsLoaded(await api<PublicSettings>(serverPaths.settings)));
}

/** Signed-out screens are shown either way; a customer whose state could not be loaded comes in when it can. */
function retryUnlessSignedOut(error: { isSignedOut?: boolean }) {
  if (error.isSignedOut) return;
  setTimeout(() => void remote.start().then(followLanguage, retryUnlessSignedOut), pause);
}

async function until(attempt: () => Promise<void>, onFailure: () => void): Promise<void> {
  try {
    await attempt();
  } catch {
    onFailure();
    await new Promise((resolve) => setTimeout(resolve, pause));
    await until(attempt, onFailure);
  }
}

/** The account's language where this browser has none of its own, and whenever it is changed, here or elsewhere. */
async function followLanguage() {
  const language = () => store.getState().remoteStore?.user.lang;
  let last = language();
  if (last && !preferredLanguage()) await showLanguage(last);
  store.subscribe(() => {
    const lang = language();
    if (lang && last && lang !== last) void chooseLanguage(lang);
    last = lang ?? last;
  });
}
