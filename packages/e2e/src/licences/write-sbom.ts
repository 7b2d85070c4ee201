// Writes the bill of materials: `pnpm sbom-images [file] [folder of the workspace]`.
import { writeFileSync } from "node:fs";
import { billOfMaterials } from "./bill-of-materials.ts";

const [file = "sbom.json", ...folders] = process.argv.slice(2);
writeFileSync(file, billOfMaterials(folders.length > 0 ? folders : undefined));
