import type { ReactNode } from "react";
import { Trans } from "react-i18next";
import { useSettings } from "../state/store.ts";

/** The terms and the privacy policy that the customer accepts by continuing. */
export function LegalNotice() {
  const settings = useSettings();
  return (
    <p className="mt-6 text-small text-ink-3">
      <Trans
        i18nKey="login.legal"
        components={{ terms: <Outside href={settings.terms_url} />, privacy: <Outside href={settings.privacy_url} /> }}
      />
    </p>
  );
}

export function Outside({ href, children }: { href: string; children?: ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noreferrer" className="text-ink-2 underline underline-offset-2 hover:text-ink">
      {children}
    </a>
  );
}
