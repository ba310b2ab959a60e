import { type RestoreParts, type RestoreTarget, restoreParts, restoreTargets } from "@nido/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useChange } from "../state/useChange.ts";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Radios } from "../ui/Radios.tsx";

interface Props {
  /** also the label of the button that confirms */
  title: string;
  note: string;
  question: string;
  /** what is announced then */
  done: string;
  /** the note if a staging copy is made instead; absent if that cannot be */
  stagingNote?: string;
  send(parts: RestoreParts, to: RestoreTarget): Promise<unknown>;
  onClose(): void;
}

/** Asks what of a site is replaced. */
export function PartsDialog({ title, note, question, done, stagingNote, send, onClose }: Props) {
  const { t } = useTranslation();
  const [parts, setParts] = useState<RestoreParts>("all");
  const [to, setTo] = useState<RestoreTarget>("site");
  const { busy, fault, run } = useChange(onClose);
  return (
    <Dialog title={title} note={to === "staging" ? stagingNote : note} closeLabel={t("common.close")} onClose={onClose}>
      <Radios
        question={question}
        options={restoreParts}
        labelOf={(part) => t(`project.backups.parts.${part}`)}
        chosen={parts}
        onChoose={setParts}
      />
      {stagingNote && (
        <Radios
          question={t("project.backups.where")}
          options={restoreTargets}
          labelOf={(target) => t(`project.backups.targets.${target}`)}
          chosen={to}
          onChoose={setTo}
        />
      )}
      <div className="flex justify-end gap-3">
        <Button onClick={onClose}>{t("common.cancel")}</Button>
        <Button look="primary" busy={busy !== undefined} onClick={() => run("send", () => send(parts, to), done)}>
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
