import { languages } from "@nido/contract";
import { useTranslation } from "react-i18next";
import { chooseLanguage } from "../i18n/language.ts";
import { SelectField } from "../ui/Field.tsx";
import { Editor, type EditorProps } from "./Editor.tsx";

export function LanguageEditor({ user, onClose }: EditorProps) {
  const { t } = useTranslation();
  return (
    <Editor
      action="UPDATE_USER_LANGUAGE"
      title={t("settings.editLanguage")}
      note={t("settings.languageNote")}
      values={{ lang: user.lang }}
      onClose={onClose}
      onDone={() => void chooseLanguage(user.lang)}
    >
      {(register, errorOf) => (
        <SelectField {...register("lang")} label={t("preferences.language")} error={errorOf("lang")}>
          {languages.map((lang) => (
            <option key={lang} value={lang}>
              {t(`languages.${lang}`)}
            </option>
          ))}
        </SelectField>
      )}
    </Editor>
  );
}
