import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { useCall } from "../api/useCall.ts";
import { Button } from "../ui/Button.tsx";
import { namesLike } from "./namesLike.ts";
import { fetchAvailability } from "./useAvailability.ts";

/** Free names that resemble a taken one. */
export function NameSuggestions({ name, onChoose }: { name: string; onChoose(name: string): void }) {
  const { t } = useTranslation();
  const load = useCallback((signal: AbortSignal) => findFree(namesLike(name), signal), [name]);
  const free = useCall(load);
  if (free.status !== "done" || free.answer.length === 0) return null;
  return (
    <div role="status" className="mt-3 flex flex-wrap items-center gap-2">
      <span className="text-small text-ink-3">{t("newProject.suggestions")}</span>
      {free.answer.map((suggestion) => (
        <Button key={suggestion} size="small" className="font-mono" onClick={() => onChoose(suggestion)}>
          {suggestion}
        </Button>
      ))}
    </div>
  );
}

async function findFree(names: string[], signal: AbortSignal): Promise<string[]> {
  const results = await Promise.all(names.map((name) => fetchAvailability(name, signal)));
  return names.filter((_name, index) => results[index] === "available");
}
