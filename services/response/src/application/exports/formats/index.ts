import type { ExportFormatName } from "../../../domain/exports/export-options.ts";
import { csv } from "./csv.ts";
import type { ExportFormat } from "./export-format.ts";
import { json, ndjson } from "./json.ts";
import { parquet } from "./parquet.ts";
import { sav } from "./sav/sav.ts";
import { xlsx } from "./xlsx.ts";

export const exportFormats: Record<ExportFormatName, ExportFormat> = { csv, xlsx, json, ndjson, sav, parquet };
