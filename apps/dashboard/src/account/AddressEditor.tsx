import { addressMaxLength } from "@nido/contract";
import { useTranslation } from "react-i18next";
import { countryOptions } from "../i18n/format.ts";
import { currentLanguage } from "../i18n/language.ts";
import { Field, SelectField } from "../ui/Field.tsx";
import { Editor, type EditorProps } from "./Editor.tsx";

export function AddressEditor({ user, onClose }: EditorProps) {
  const { t } = useTranslation();
  const values = {
    user_address: user.address,
    user_city: user.city,
    user_state: user.state,
    user_zipcode: user.zipcode,
    user_country: user.country,
  };
  return (
    <Editor action="UPDATE_USER_ADDRESS" title={t("settings.editAddress")} values={values} onClose={onClose}>
      {(register, errorOf) => (
        <>
          <Field
            {...register("user_address")}
            label={t("settings.address")}
            error={errorOf("user_address")}
            autoComplete="street-address"
            maxLength={addressMaxLength}
          />
          <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] gap-3">
            <Field
              {...register("user_zipcode")}
              label={t("settings.zipcode")}
              error={errorOf("user_zipcode")}
              autoComplete="postal-code"
              maxLength={20}
            />
            <Field
              {...register("user_city")}
              label={t("settings.city")}
              error={errorOf("user_city")}
              autoComplete="address-level2"
              maxLength={addressMaxLength}
            />
          </div>
          <Field
            {...register("user_state")}
            label={t("settings.region")}
            error={errorOf("user_state")}
            autoComplete="address-level1"
            maxLength={addressMaxLength}
          />
          <SelectField
            {...register("user_country")}
            label={t("settings.country")}
            error={errorOf("user_country")}
            autoComplete="country"
          >
            <option value="">{t("settings.noCountry")}</option>
            {countryOptions(currentLanguage()).map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </SelectField>
        </>
      )}
    </Editor>
  );
}
