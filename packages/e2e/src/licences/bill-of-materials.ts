import { execFileSync } from "node:child_process";
import { WORKSPACE_ROOT } from "@canvass/processes";
import { imageFolders } from "./production-packages.ts";

/** Generates the bill of materials (CycloneDX, JSON) of all images or of one, from the installed packages, offline. */
export function billOfMaterials(folders: readonly string[] = imageFolders): string {
  const filters = folders.flatMap((folder) => ["--filter-prod", `{${folder}}...`]);
  const words = [...filters, "sbom", "--prod", "--sbom-format", "cyclonedx", "--sbom-type", "application"];
  return execFileSync("pnpm", words, { cwd: WORKSPACE_ROOT, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
}
