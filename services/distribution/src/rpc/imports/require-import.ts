import { AppError } from "@canvass/errors";
import type { ImportRef } from "@canvass/jobs/imports";
import { isId } from "@canvass/values";
import type { Sql } from "@canvass/postgres";
import { findImport, type StoredImport } from "../../storage/imports/imports.ts";

export async function requireImport(sql: Sql, ref: ImportRef): Promise<StoredImport> {
  const stored = isId(ref.importId) ? await findImport(sql, ref) : undefined;
  if (!stored) throw new AppError("import_not_found");
  return stored;
}
