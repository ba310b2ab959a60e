import { passwordMaxLength } from "@nido/contract";
import { useTranslation } from "react-i18next";
import { Field } from "../ui/Field.tsx";
import { Editor, type EditorProps } from "./Editor.tsx";

export function PasswordEditor({ user, onClose }: EditorProps) {
  const { t } = useTranslation();
  return (
    <Editor
      action="UPDATE_USER_PASSWORD"
      title={t(user.password ? "settings.editPassword" : "settings.setPassword")}
      note={t("settings.passwordNote")}
      values={user.password ? { password: "", current_password: "" } : { password: "" }}
      fieldOf={{ error_password_current_wrong: "current_password" }}
      onClose={onClose}
    >
      {(register, errorOf) => (
        <>
          <input hidden readOnly autoComplete="username" value={user.email} />
          {user.password && (
            <Field
              {...register("current_password")}
              label={t("settings.currentPassword")}
              hint={t("settings.currentPasswordHint")}
              error={errorOf("current_password")}
              type="password"
              autoComplete="current-password"
              maxLength={passwordMaxLength}
            />
          )}
          <Field
            {...register("password")}
            label={t("settings.newPassword")}
            error={errorOf("password")}
            type="password"
            autoComplete="new-password"
            maxLength={passwordMaxLength}
          />
        </>
      )}
    </Editor>
  );
}
