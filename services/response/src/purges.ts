import type { Purge } from "@canvass/service";
import { purgeExports } from "./storage/exports.ts";

const dayMs = 86_400_000;

/** Retention. An export is shown for some time after its files were deleted. */
export const purges: readonly Purge[] = [{ rows: "exports", keepMs: 30 * dayMs, purge: purgeExports }];
