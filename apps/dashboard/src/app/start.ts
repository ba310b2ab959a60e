import type { PublicSettings } from "@nido/contract";
import { api } from "../api/api.ts";
import { chooseLanguage, followAccount, startLanguage } from "../i18n/language.ts";
import { serverPaths } from "../paths.ts";
import { remote, settingsLoaded, store } from "../state/store.ts";

const retryDelayMs = 3000;

/**
 * Loads the texts, the settings and, with a session, the customer's state. Retries until the server answers.
 * `onUnreachable` is called after each failed attempt.
 */
export async function start(onUnreachable: () => void): Promise<void> {
  await startLanguage();
  const state = remote.start().then(followLanguage);
  await Promise.all([until(loadSettings, onUnreachable), state.catch((error) => retryUnlessSignedOut(error))]);
}

async function loadSettings() {
  store.dispatch(settingsLoaded(await api<PublicSettings>(serverPaths.settings)));
}

/** Retries in the background: the signed-out screens are shown meanwhile. */
function retryUnlessSignedOut(error: { isSignedOut?: boolean }) {
  if (error.isSignedOut) return;
  setTimeout(() => void remote.start().then(followLanguage, retryUnlessSignedOut), retryDelayMs);
}

/** Repeats the attempt until it succeeds. */
async function until(attempt: () => Promise<void>, onFailure: () => void): Promise<void> {
  try {
    await attempt();
  } catch {
    onFailure();
    await new Promise((resolve) => setTimeout(resolve, retryDelayMs));
    await until(attempt, onFailure);
  }
}

/** Uses the account's language if this browser has no preference, and whenever the account's language changes. */
async function followLanguage() {
  const language = () => store.getState().remoteStore?.user.lang;
  let last = language();
  if (last) await followAccount(last);
  store.subscribe(() => {
    const lang = language();
    if (lang && last && lang !== last) void chooseLanguage(lang);
    last = lang ?? last;
  });
}
