import { type RestoreParts, restoreParts } from "@nido/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useChange } from "../state/useChange.ts";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";

interface Props {
  /** also the label of the button that confirms */
  title: string;
  note: string;
  question: string;
  /** what is announced then */
  done: string;
  send(parts: RestoreParts): Promise<unknown>;
  onClose(): void;
}

/** Asks what of a site is replaced. */
export function PartsDialog({ title, note, question, done, send, onClose }: Props) {
  const { t } = useTranslation();
  const [parts, setParts] = useState<RestoreParts>("all");
  const { busy, fault, run } = useChange(onClose);
  return (
    <Dialog title={title} note={note} closeLabel={t("common.close")} onClose={onClose}>
      <fieldset className="mb-5">
        <legend className="mb-1.5 font-[560]">{question}</legend>
        {restoreParts.map((part) => (
          <label key={part} className="flex items-baseline gap-2 py-1">
            <input
              type="radio"
              name="parts"
              className="accent-brand"
              checked={parts === part}
              onChange={() => setParts(part)}
            />
            {t(`project.backups.parts.${part}`)}
          </label>
        ))}
      </fieldset>
      <div className="flex justify-end gap-3">
        <Button onClick={onClose}>{t("common.cancel")}</Button>
        <Button look="primary" busy={busy !== undefined} onClick={() => run("send", () => send(parts), done)}>
          {title}
        </Button>
      </div>
      {fault && (
        <div className="mt-4">
          <ErrorBox>{fault}</ErrorBox>
        </div>
      )}
    </Dialog>
  );
}
