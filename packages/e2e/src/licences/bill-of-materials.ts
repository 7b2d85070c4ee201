import { execFileSync } from "node:child_process";
import { WORKSPACE_ROOT } from "@canvass/processes";
import { imageFolders } from "./production-packages.ts";

/** The bill of materials (CycloneDX, JSON) of all images, or of one. Made of the installed packages, without a network. */
export function billOfMaterials(folders: readonly string[] = imageFolders): string {
  const filters = folders.flatMap((folder) => ["--filter-prod", `{${folder}}...`]);
  const words = [...filters, "sbom", "--prod", "--sbom-format", "cyclonedx", "--sbom-type", "application"];
  return execFileSync("pnpm", words, { cwd: WORKSPACE_ROOT, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
}
