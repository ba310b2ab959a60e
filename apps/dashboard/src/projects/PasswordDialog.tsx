import { type Project, sitePasswordMinLength } from "@nido/contract";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { api, post } from "../api/api.ts";
import { serverPaths } from "../paths.ts";
import { useChange } from "../state/useChange.ts";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Field } from "../ui/Field.tsx";

interface Props {
  project: Project;
  /** undefined: the whole site */
  branch?: string;
  onClose(): void;
}

/** Sets, changes or removes the password that visitors need. */
export function PasswordDialog({ project, branch, onClose }: Props) {
  const { t } = useTranslation();
  const [password, setPassword] = useState("");
  const { busy, fault, run } = useChange(onClose);
  const isSet = project.passwords?.includes(branch ?? "");
  const save = (value: string | null, done: string) =>
    run(
      value === null ? "remove" : "save",
      () => api(serverPaths.sitePassword(project.name), { ...post({ branch, password: value }), method: "PUT" }),
      done,
    );

  function submit(event: FormEvent) {
    event.preventDefault();
    void save(password, t("project.password.saved"));
  }

  return (
    <Dialog
      title={branch ? t("project.password.branchName", { branch }) : t("project.password.title")}
      note={branch ? t("project.password.branchNote", { branch }) : t("project.password.hint")}
      closeLabel={t("common.close")}
      onClose={onClose}
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field
          label={t("project.password.label")}
          hint={t("project.password.labelHint", { count: sitePasswordMinLength })}
          value={password}
          onChange={({ target }) => setPassword(target.value)}
          minLength={sitePasswordMinLength}
          maxLength={128}
          autoComplete="off"
          required
        />
        <div className="flex flex-wrap justify-end gap-3">
          {isSet && (
            <Button
              look="danger"
              busy={busy === "remove"}
              onClick={() => void save(null, t("project.password.removed"))}
            >
              {t("project.password.remove")}
            </Button>
          )}
          <Button type="submit" look="primary" busy={busy === "save"}>
            {t("project.password.save")}
          </Button>
        </div>
        {fault && <ErrorBox>{fault}</ErrorBox>}
      </form>
    </Dialog>
  );
}
