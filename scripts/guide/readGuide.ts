import { readFileSync } from "node:fs";
import { resolve } from "node:path";

const file = resolve(import.meta.dirname, "../../docs/OPERATING.md");
const chapter = /\n## A server of your own\n([\s\S]*?)\n## /;

/** The commands of the guide's first chapter, one per line, and its example of the settings file. */
export function readGuide(): { commands: string[]; settings: string } {
  const text = chapter.exec(readFileSync(file, "utf8"))?.[1] ?? "";
  const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = ""]) => block);
  const isSettings = (block: string) => block.startsWith("APP_URL=");
  const lines = blocks.filter((block) => !isSettings(block)).flatMap((block) => block.trim().split("\n"));
  return {
    commands: lines.map((line) => line.replace(/\s+#.*$/, "")),
    settings: blocks.find(isSettings) ?? "",
  };
}

/** The settings file with something in place of each ellipsis. */
export function fillIn(settings: string, nameServer: string): string {
  return settings
    .replace("ENCRYPTION_KEY=…", `ENCRYPTION_KEY=${"0123456789abcdef".repeat(4)}`)
    .replace(/_URL=…/g, "_URL=https://www.example.com/")
    .replaceAll("…", "example")
    .replace("@192.0.2.53", `@${nameServer}`);
}
