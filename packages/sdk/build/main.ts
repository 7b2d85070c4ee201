// `pnpm --filter @canvass/sdk pack-package`: packs the package as it is published.
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { packPackage } from "./pack.ts";

const folder = join(import.meta.dirname, "../gen/packed");
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
process.stdout.write(`${await packPackage(folder)}\n`);
