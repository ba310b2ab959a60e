import type { BilledDetail } from "@nido/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { countryName, formatDate, formatDateTime } from "../i18n/format.ts";
import { currentLanguage } from "../i18n/language.ts";
import { useUser } from "../state/store.ts";
import { Avatar } from "../ui/Avatar.tsx";
import { Button } from "../ui/Button.tsx";
import { Row, Rows } from "../ui/Rows.tsx";
import { ThemeToggle } from "../ui/ThemeToggle.tsx";
import { AddressEditor } from "./AddressEditor.tsx";
import { CompanyEditor } from "./CompanyEditor.tsx";
import { DisconnectButton } from "./DisconnectButton.tsx";
import { EmailEditor } from "./EmailEditor.tsx";
import { LanguageEditor } from "./LanguageEditor.tsx";
import { MailTopics } from "./MailTopics.tsx";
import { PasswordEditor } from "./PasswordEditor.tsx";
import { PhoneEditor } from "./PhoneEditor.tsx";

const editors = {
  email: EmailEditor,
  address: AddressEditor,
  phone: PhoneEditor,
  company: CompanyEditor,
  language: LanguageEditor,
  password: PasswordEditor,
};
type EditorName = keyof typeof editors;

export function GeneralTab() {
  const { t } = useTranslation();
  const user = useUser();
  const lang = currentLanguage();
  const [open, setOpen] = useState<EditorName>();
  const Editor = open && editors[open];

  const edit = (name: EditorName, label: string, verb: "add" | "change" | "edit") => (
    <Button size="small" onClick={() => setOpen(name)}>
      {t(`common.${verb}`)}
      <span className="sr-only">{label}</span>
    </Button>
  );
  const address = [
    user.address,
    [user.zipcode, user.city].filter(Boolean).join(" "),
    user.state,
    countryName(user.country, lang),
  ];
  const company = [user.company_name, user.vat_number];

  return (
    <>
      <Rows title={t("settings.personal")}>
        <Row label={t("settings.avatar")}>
          <Avatar user={user} size={40} />
        </Row>
        <Row label={t("settings.name")}>{`${user.given_name} ${user.family_name}`.trim() || <Unset />}</Row>
        <Row
          label={t("settings.address")}
          action={edit("address", t("settings.address"), address.some(Boolean) ? "edit" : "add")}
        >
          <Lines values={address} />
          <Refused detail="address" />
        </Row>
        <Row label={t("settings.phone")} action={edit("phone", t("settings.phone"), user.phone ? "edit" : "add")}>
          {user.phone || <Unset />}
          <Refused detail="phone" />
        </Row>
        <Row
          label={t("settings.company")}
          action={edit("company", t("settings.company"), company.some(Boolean) ? "edit" : "add")}
        >
          <Lines values={company} />
          <Refused detail="name" />
          <Refused detail="vat_number" />
          {user.invoice_tax_id !== "" && (
            <p className="text-small font-normal text-ink-3">
              {t("settings.onInvoices", { number: user.invoice_tax_id })}
              {user.invoice_tax_id_status && ` · ${t(`settings.taxIdStatus.${user.invoice_tax_id_status}`)}`}
            </p>
          )}
          {user.invoice_tax_id_status === "unverified" && (
            <p className="mt-1 max-w-[60ch] text-small font-normal text-red">{t("settings.taxIdUnverified")}</p>
          )}
        </Row>
        <Row label={t("preferences.language")} action={edit("language", t("preferences.language"), "change")}>
          {t(`languages.${user.lang}`)}
        </Row>
        <Row label={t("preferences.theme")}>
          <ThemeToggle />
        </Row>
      </Rows>
      <Rows title={t("settings.account")}>
        <Row label={t("settings.email")} action={edit("email", t("settings.email"), "change")}>
          {user.email}
          <Refused detail="email" />
        </Row>
        <Row
          label={t("settings.password")}
          action={edit("password", t("settings.password"), user.password ? "change" : "add")}
        >
          {user.password ? <Dots label={t("settings.passwordHidden")} /> : <Unset />}
        </Row>
        <Row label={t("settings.memberSince")}>{formatDate(user.created_at, lang)}</Row>
        <Row label={t("settings.lastLogin")}>{formatDateTime(user.last_login, lang)}</Row>
      </Rows>
      <MailTopics />
      <Rows title={t("settings.connection")}>
        <Row label={t("settings.disconnect")} action={<DisconnectButton />}>
          <span className="font-normal text-ink-2">{t("settings.disconnectText")}</span>
        </Row>
      </Rows>
      {Editor && <Editor user={user} onClose={() => setOpen(undefined)} />}
    </>
  );
}

/** What the payment provider refused, with what to do about it. */
function Refused({ detail }: { detail: BilledDetail }) {
  const { t } = useTranslation();
  const { refused_details: refused, country } = useUser();
  if (!refused.includes(detail)) return null;
  const key = detail === "vat_number" && country === "" ? "vatWithoutCountry" : detail;
  return <p className="mt-1 max-w-[60ch] text-small font-normal text-red">{t(`settings.refused.${key}`)}</p>;
}

function Lines({ values }: { values: string[] }) {
  const filled = values.filter(Boolean);
  return filled.length > 0 ? <span className="whitespace-pre-line">{filled.join("\n")}</span> : <Unset />;
}

function Unset() {
  const { t } = useTranslation();
  return <span className="font-normal text-ink-3">{t("common.unset")}</span>;
}

function Dots({ label }: { label: string }) {
  return (
    <span role="img" aria-label={label} className="tracking-[0.1em]">
      ••••••••
    </span>
  );
}
