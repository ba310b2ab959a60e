import type { SiteFile } from "@nido/contract";
import {
  type ErrorKey,
  filesPerDeploy,
  findCollision,
  newDeploySchema,
  pathFault,
  siteFileSchema,
} from "@nido/contract";
import type { z } from "zod";
import { AppError } from "../../platform/AppError.ts";
import { parseInput } from "../../platform/parseInput.ts";
import { encodeSizes } from "../upload/FileSizes.ts";

/** A valid plan, in the form in which the rest of the server uses it without looking at each file. */
export interface ParsedPlan extends Omit<z.output<typeof newDeploySchema>, "files"> {
  /** the sorted list as JSON, as the database stores it */
  files: string;
  fileCount: number;
  /** of all files together, in bytes */
  size: number;
  /** the encoded `FileSizes` */
  sizes: ArrayBuffer;
}

export interface PlanFault {
  error: ErrorKey;
  detail: string | undefined;
}

/** Parses and checks a request for a deploy. It stops at the first fault, which may name a path. */
export function parsePlan(body: Uint8Array): ParsedPlan {
  const { files: listed, ...rest } = parseJson(body);
  const plan = parseInput(newDeploySchema, { ...rest, files: [] });
  if (!Array.isArray(listed)) throw new AppError("error_invalid_input");
  if (listed.length > filesPerDeploy) throw new AppError("error_files_too_many");
  const files = listed.map((file) => parseInput(siteFileSchema, file)).sort((a, b) => (a.path < b.path ? -1 : 1));
  checkFiles(files);
  return {
    ...plan,
    files: JSON.stringify(files.map(({ path, sha256, size }) => [path, sha256, size])),
    fileCount: files.length,
    size: files.reduce((sum, { size }) => sum + size, 0),
    sizes: encodeSizes(files),
  };
}

function parseJson(body: Uint8Array): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // malformed
  }
  throw new AppError("error_invalid_input");
}

function checkFiles(files: SiteFile[]) {
  const sizes = new Map<string, number>();
  for (const { path, sha256, size } of files) {
    if (pathFault(path)) throw new AppError("error_path_invalid", { detail: path });
    if ((sizes.get(sha256) ?? size) !== size) throw new AppError("error_digest_mismatch", { detail: path });
    sizes.set(sha256, size);
  }
  const collision = findCollision(files.map(({ path }) => path));
  if (collision) throw new AppError("error_path_collision", { detail: collision.join(", ") });
}
