import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";

const confirmationMs = 2000;

/** Text with a copy button, which confirms the copy for two seconds. */
export function CopyLine({ text, label }: { text: string; label: string }) {
  const { t } = useTranslation();
  const [result, setResult] = useState<"copied" | "copyFailed">();
  useEffect(() => {
    if (!result) return;
    const timer = setTimeout(() => setResult(undefined), confirmationMs);
    return () => clearTimeout(timer);
  }, [result]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setResult("copied");
    } catch (error) {
      console.error("copying failed", error);
      setResult("copyFailed");
    }
  }

  const Icon = result === "copied" ? Check : Copy;
  return (
    <div className="relative">
      <div className="flex items-start gap-2 rounded-control border border-line bg-sunken py-1 pr-1 pl-3">
        <code className="min-w-0 flex-1 py-1.5 font-mono text-[0.8125rem] font-normal break-words whitespace-pre-wrap">
          {text}
        </code>
        <button
          type="button"
          onClick={copy}
          aria-label={`${t("common.copy")}: ${label}`}
          className={`grid size-8 shrink-0 place-items-center rounded-[7px] hover:bg-surface ${result === "copied" ? "text-green" : "text-ink-2"}`}
        >
          <Icon className="size-4" aria-hidden="true" />
        </button>
      </div>
      <p aria-live="polite" className="absolute top-full right-0 z-10 mt-1">
        {result && (
          <span className="rounded-control bg-ink px-2.5 py-1 text-small text-background">{t(`common.${result}`)}</span>
        )}
      </p>
    </div>
  );
}
