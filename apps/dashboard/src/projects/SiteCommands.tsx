import type { CommandEvent, Project } from "@nido/contract";
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError, streamLines } from "../api/api.ts";
import { serverPaths } from "../paths.ts";
import { Button } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Choice } from "./Choice.tsx";
import { splitCommand } from "./splitCommand.ts";

/** So much of the output stays on the screen: the server sends about a line at a time. */
const maxPieces = 2000;

interface Printed {
  key: number;
  kind: "command" | "out" | "err" | "note";
  text: string;
}

/** Commands of WP-CLI, which run in the site or in its staging copy. */
export function SiteCommands({ project }: { project: Project }) {
  const { t } = useTranslation();
  const id = useId();
  const [command, setCommand] = useState("");
  const [isStaging, setStaging] = useState(false);
  const [printed, setPrinted] = useState<Printed[]>([]);
  const [fault, setFault] = useState<string>();
  const [running, setRunning] = useState<AbortController>();
  const [past, setPast] = useState<string[]>([]);
  const screen = useRef<HTMLPreElement>(null);
  const hasStaging = project.staging?.copied_at !== undefined;

  useEffect(() => () => running?.abort(), [running]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever is printed is scrolled to.
  useEffect(() => {
    screen.current?.scrollTo({ top: screen.current.scrollHeight });
  }, [printed]);

  const print = (kind: Printed["kind"], text: string) =>
    setPrinted((before) => [...before, { key: (before.at(-1)?.key ?? 0) + 1, kind, text }].slice(-maxPieces));

  const note = (text: string) => print("note", `${text}\n`);

  async function run(event: FormEvent) {
    event.preventDefault();
    if (running) return;
    const args = splitCommand(command.replace(/^\s*wp\s/, ""));
    setFault(args ? undefined : t("project.commands.quote"));
    if (!args || args.length === 0) return;
    const controller = new AbortController();
    setRunning(controller);
    const typed = command.replace(/^\s*wp\s/, "");
    setPast((before) => [typed, ...before.filter((each) => each !== typed)]);
    print("command", `wp ${typed}\n`);
    setCommand("");
    try {
      const body = { args, staging: hasStaging && isStaging };
      let isOver = false;
      let isSaved = false;
      const lines = streamLines<CommandEvent>(serverPaths.commands(project.id), body, controller.signal);
      for await (const line of lines) {
        isOver = "exit" in line || "error" in line;
        if ("out" in line) print("out", line.out);
        else if ("err" in line) print("err", line.err);
        else if ("error" in line) setFault(t(`errors.${line.error}`));
        else if ("exit" in line && line.exit !== 0) note(t("project.commands.exit", { code: line.exit }));
        else if ("backup" in line && !isSaved) {
          isSaved = true;
          note(t("project.commands.backup"));
        }
      }
      if (!isOver) note(t("project.commands.cut"));
    } catch (error) {
      if (controller.signal.aborted) note(t("project.commands.stopped"));
      else setFault(t(`errors.${error instanceof ApiError ? error.key : "error_network"}`));
    } finally {
      setRunning(undefined);
    }
  }

  function recall(event: KeyboardEvent<HTMLInputElement>) {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!step || past.length === 0) return;
    event.preventDefault();
    const next = past[past.indexOf(command) + step];
    if (next !== undefined) setCommand(next);
    else if (step < 0 && past.includes(command)) setCommand("");
  }

  return (
    <section className="mb-9">
      <h2 className="text-section font-[640]">{t("project.commands.title")}</h2>
      <p id={`${id}-intro`} className="mt-1 mb-3 max-w-[65ch] text-small text-ink-2">
        {t("project.commands.intro")}
      </p>
      <Card className="overflow-hidden">
        {printed.length > 0 && (
          <pre
            ref={screen}
            role="log"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls.
            tabIndex={0}
            aria-label={t("project.commands.output")}
            className="max-h-[420px] overflow-auto border-b border-line bg-sunken px-5 py-4 font-mono text-[0.8125rem] leading-relaxed whitespace-pre"
          >
            {printed.map(({ key, kind, text }) => (
              <span key={key} className={looks[kind]}>
                {kind === "command" && <span aria-hidden="true">$ </span>}
                {text}
              </span>
            ))}
          </pre>
        )}
        <form onSubmit={run} className="flex flex-wrap items-center gap-3 p-5">
          <label
            htmlFor={id}
            className="flex h-10 min-w-0 flex-1 basis-[240px] items-center rounded-control border border-line-strong bg-surface font-mono text-[0.875rem] focus-within:border-focus focus-within:ring-3 focus-within:ring-focus/20"
          >
            <span className="pl-3 text-ink-3">wp</span>
            <input
              id={id}
              value={command}
              onChange={({ target }) => setCommand(target.value)}
              onKeyDown={recall}
              aria-label={t("project.commands.label")}
              aria-describedby={`${id}-intro`}
              placeholder="plugin list"
              autoCapitalize="off"
              autoComplete="off"
              autoCorrect="off"
              spellCheck={false}
              className="h-full min-w-0 flex-1 bg-transparent px-2 outline-none placeholder:text-ink-3"
            />
          </label>
          <Button size="small" type="submit" busy={running !== undefined}>
            {t("project.commands.run")}
          </Button>
          {running && (
            <>
              <Button size="small" type="button" onClick={() => running.abort()}>
                {t("project.commands.stop")}
              </Button>
              <p className="basis-full text-small text-ink-3">{t("project.commands.leaving")}</p>
            </>
          )}
        </form>
        {hasStaging && (
          <div className="border-t border-line">
            <Choice label={t("project.commands.staging")} isOn={isStaging} isBusy={false} onChange={setStaging} />
          </div>
        )}
      </Card>
      {fault && (
        <div className="mt-4">
          <ErrorBox>{fault}</ErrorBox>
        </div>
      )}
    </section>
  );
}

const looks = {
  command: "font-[640] text-ink",
  out: "text-ink-2",
  err: "text-red",
  note: "text-ink-3 italic",
} as const;
