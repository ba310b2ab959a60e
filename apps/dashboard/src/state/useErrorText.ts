import { isErrorKey } from "@nido/contract";
import { conflict } from "@nido/redux-remote/client";
import { useTranslation } from "react-i18next";

/** Returns the translated text of a remote action's error. */
export function useErrorText(): (error: string) => string {
  const { t } = useTranslation();
  return (error) => {
    if (error === conflict.error) return t("conflict");
    return t(`errors.${isErrorKey(error) ? error : "error_unknown"}`);
  };
}
