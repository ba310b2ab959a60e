import { type KeyboardEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { containsWords } from "../i18n/containsWords.ts";
import { Dialog } from "../ui/Dialog.tsx";
import { Field } from "../ui/Field.tsx";
import { type Command, useCommands } from "./useCommands.ts";

const shown = 15;

/** Finds projects, domains, settings and actions by what is typed. Arrows choose, Enter opens. */
export function PaletteDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const id = useId();
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const found = useCommands()
    .filter(({ label, kind, words = "" }) => containsWords(`${label} ${kind} ${words}`, text))
    .slice(0, shown);

  function open(command: Command | undefined) {
    if (!command) return;
    onClose();
    navigate(command.to);
  }

  function onKey(event: KeyboardEvent) {
    const steps: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step) setChosen((chosen + step + found.length) % Math.max(found.length, 1));
    else if (event.key === "Enter") open(found[chosen]);
    else return;
    event.preventDefault();
  }

  return (
    <Dialog title={t("palette.title")} closeLabel={t("common.close")} onClose={onClose}>
      <Field
        label={t("palette.label")}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setChosen(0);
        }}
        onKeyDown={onKey}
        role="combobox"
        aria-expanded={found.length > 0}
        aria-controls={id}
        aria-activedescendant={found.length > 0 ? `${id}-${chosen}` : undefined}
        autoComplete="off"
        spellCheck={false}
      />
      <div id={id} role="listbox" aria-label={t("palette.title")} className="mt-3 max-h-[50dvh] overflow-y-auto">
        {found.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the field has the focus and handles the keys.
          <div
            key={command.id}
            id={`${id}-${index}`}
            ref={index === chosen ? showOption : undefined}
            role="option"
            aria-selected={index === chosen}
            onClick={() => open(command)}
            className="flex cursor-pointer items-center justify-between gap-3 rounded-control px-3 py-2 hover:bg-sunken aria-selected:bg-sunken"
          >
            <span className="min-w-0 truncate">{command.label}</span>
            <span className="shrink-0 text-small text-ink-3">{command.kind}</span>
          </div>
        ))}
      </div>
      <p role="status" className="text-small text-ink-3">
        {found.length === 0 && t("palette.none")}
      </p>
    </Dialog>
  );
}

function showOption(option: HTMLElement | null) {
  option?.scrollIntoView({ block: "nearest" });
}
