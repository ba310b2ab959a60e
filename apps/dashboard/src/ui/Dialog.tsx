import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { ReactNode } from "react";

interface Props {
  title: string;
  note?: string;
  closeLabel: string;
  onClose(): void;
  children: ReactNode;
}

/** An open dialog. Its top stays in place when an error makes it longer. It traps the focus; Escape and a click on the backdrop close it. */
export function Dialog({ title, note, closeLabel, onClose, children }: Props) {
  return (
    <Base.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Base.Portal>
        <Base.Backdrop data-veil className="fixed inset-0 z-30 bg-veil animate-fade" />
        <Base.Popup className="fixed top-[max(16px,12dvh)] z-30 left-1/2 max-h-[calc(88dvh-16px)] w-[min(460px,calc(100vw-24px))] -translate-x-1/2 overflow-y-auto rounded-dialog border border-line bg-surface p-6 shadow-xl animate-fade">
          <Base.Title className="pr-10 text-[1.1875rem] font-[640] tracking-[-0.01em]">{title}</Base.Title>
          {note && <Base.Description className="mt-1 text-ink-2">{note}</Base.Description>}
          <div className="mt-5">{children}</div>
          {/* Last in the order: the first field gets the focus when the dialog opens. */}
          <Base.Close
            aria-label={closeLabel}
            className="absolute top-5 right-5 grid size-8 place-items-center rounded-control text-ink-3 hover:bg-sunken hover:text-ink"
          >
            <X className="size-[18px]" aria-hidden="true" />
          </Base.Close>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
