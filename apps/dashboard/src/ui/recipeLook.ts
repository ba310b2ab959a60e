import { categoryOf, type Recipe } from "@nido/contract";
import { FileCode, Globe, type LucideIcon } from "lucide-react";
import type { Tone } from "./Badge.tsx";

const tones: Partial<Record<string, Tone>> = {
  wordpress_starter: "green",
  wordpress_pro: "blue",
  wordpress_business: "purple",
};

/** A recipe's icon, colour and labels, the same on every screen. */
export function recipeLook(recipe: Recipe): { icon: LucideIcon; tone: Tone; label: string; plan: string } {
  return {
    icon: categoryOf(recipe) === "wordpress" ? Globe : FileCode,
    tone: tones[recipe] ?? "red",
    label: recipe.replaceAll("_", " "),
    plan: recipe.split("_").at(-1) ?? recipe,
  };
}
