import { categoryOf, type Recipe } from "@nido/contract";
import { FileCode, Globe, type LucideIcon } from "lucide-react";
import type { Tone } from "./Badge.tsx";

const tones: Partial<Record<string, Tone>> = { starter: "green", pro: "blue", business: "purple" };

/** A recipe's icon and colour, the same on every screen. The colour stands for the plan, never for a state. */
export function recipeLook(recipe: Recipe): { icon: LucideIcon; tone: Tone } {
  return {
    icon: categoryOf(recipe) === "wordpress" ? Globe : FileCode,
    tone: tones[recipe.split("_").at(-1) ?? ""] ?? "red",
  };
}
