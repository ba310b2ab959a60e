import { companyMaxLength, vatMaxLength } from "@nido/contract";
import { useTranslation } from "react-i18next";
import { Field } from "../ui/Field.tsx";
import { Editor, type EditorProps } from "./Editor.tsx";

export function CompanyEditor({ user, onClose }: EditorProps) {
  const { t } = useTranslation();
  return (
    <Editor
      action="UPDATE_USER_COMPANY"
      title={t("settings.editCompany")}
      note={t("settings.companyNote")}
      values={{ company: user.company_name, vat_number: user.vat_number }}
      fieldOf={{ error_vat_invalid: "vat_number" }}
      onClose={onClose}
    >
      {(register, errorOf) => (
        <>
          <Field
            {...register("company")}
            label={t("settings.companyName")}
            error={errorOf("company")}
            autoComplete="organization"
            maxLength={companyMaxLength}
          />
          <Field
            {...register("vat_number")}
            label={t("settings.vat")}
            error={errorOf("vat_number")}
            maxLength={vatMaxLength}
          />
        </>
      )}
    </Editor>
  );
}
