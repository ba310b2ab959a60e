import { phoneMaxLength } from "@nido/contract";
import { useTranslation } from "react-i18next";
import { Field } from "../ui/Field.tsx";
import { Editor, type EditorProps } from "./Editor.tsx";

export function PhoneEditor({ user, onClose }: EditorProps) {
  const { t } = useTranslation();
  return (
    <Editor
      action="UPDATE_USER_PHONE"
      title={t("settings.editPhone")}
      values={{ phone: user.phone }}
      fieldOf={{ error_phone_invalid: "phone" }}
      onClose={onClose}
    >
      {(register, errorOf) => (
        <Field
          {...register("phone")}
          label={t("settings.phone")}
          error={errorOf("phone")}
          type="tel"
          autoComplete="tel"
          maxLength={phoneMaxLength}
        />
      )}
    </Editor>
  );
}
